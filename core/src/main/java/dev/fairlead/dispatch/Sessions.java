package dev.fairlead.dispatch;

import dev.fairlead.device.DeviceKind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How many sessions the drivers of the host have, as far as their refusals show it. Owned by the
 * foreman.
 *
 * <p>A device that refuses has a limit of its own. Some drivers count over all cards of the host,
 * which shows when a second device of the kind refuses as well, or when there is but one: from then
 * on no more units run on devices of that kind than did at that time.
 */
final class Sessions {
  /** What the devices of one kind have in common. */
  private static final class Shared {
    private final SessionLimit limit = new SessionLimit();
    private final Set<Post> refusing = new HashSet<>();
  }

  private final List<Post> posts;
  private final Map<DeviceKind, Shared> common = new HashMap<>();

  /**
   * Sessions of devices.
   *
   * @param posts all that there are, now and later
   */
  Sessions(List<Post> posts) {
    this.posts = posts;
  }

  private Shared of(Post post) {
    return common.computeIfAbsent(post.device().kind(), kind -> new Shared());
  }

  private Stream<Post> ofKind(Post post) {
    return posts.stream().filter(each -> each.device().kind().equals(post.device().kind()));
  }

  /** Units that are on devices of the kind. */
  private int running(Post post) {
    return ofKind(post).mapToInt(each -> each.tries().size()).sum();
  }

  /** Whether the device may be given one more unit. */
  boolean allow(Post post, long now) {
    return common.isEmpty()
        || (post.limit().allows(post.tries().size(), now)
            && of(post).limit.allows(running(post), now));
  }

  /** Whether one more unit on the device would be more than was ever taken. */
  boolean areTaken(Post post) {
    return !common.isEmpty()
        && (post.limit().isReached(post.tries().size()) || of(post).limit.isReached(running(post)));
  }

  /**
   * A device has refused a unit, which has left it.
   *
   * @return false if it has refused all that it was given for too long, and nothing that runs
   *     elsewhere explains that
   */
  boolean refused(Post post, long now) {
    Shared shared = of(post);
    int running = running(post);
    post.limit().refused(post.tries().size(), now);
    shared.refusing.add(post);
    boolean alone = ofKind(post).filter(Post::isPresent).count() == 1;
    if (alone || shared.refusing.size() > 1) {
      shared.limit.refused(running, now);
    }
    return post.refuses(running > 0, now);
  }

  /**
   * A unit has ended well.
   *
   * @param beyond whether it was one more than were ever taken
   */
  void succeeded(Post post, boolean beyond) {
    post.succeeded();
    if (common.isEmpty()) {
      return;
    }
    Shared shared = of(post);
    shared.refusing.remove(post);
    if (beyond) {
      // What the host has is not what it was, and so may be what each device was seen to take.
      ofKind(post).forEach(each -> each.limit().forget());
      shared.limit.forget();
      shared.refusing.clear();
    }
  }
}
