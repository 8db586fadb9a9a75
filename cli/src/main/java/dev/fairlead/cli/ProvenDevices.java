package dev.fairlead.cli;

import dev.fairlead.device.Card;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Profile;
import dev.fairlead.doctor.host.Drivers;
import dev.fairlead.doctor.host.Machine;
import dev.fairlead.doctor.profile.ProfileFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What a profile says of devices as they are now.
 *
 * @param proven what holds of them
 * @param copies for each device, what was proven of copies to it, in words
 * @param hostSessions encoders that all cards of NVIDIA open together; empty if that is not known
 * @param notices what is wrong with the file, and what of it does not hold any more
 */
record ProvenDevices(
    Map<DeviceId, Profile.Proven> proven,
    Map<DeviceId, String> copies,
    OptionalInt hostSessions,
    List<String> notices) {
  private static final String NONE = "none";

  ProvenDevices {
    proven = Map.copyOf(proven);
    copies = Map.copyOf(copies);
    notices = List.copyOf(notices);
  }

  /** The file that is asked for; empty for none. */
  static Optional<ProfileFile> file(@Nullable String asked) {
    if (asked == null) {
      return Optional.of(usual());
    }
    return asked.equals(NONE)
        ? Optional.empty()
        : Optional.of(new ProfileFile(java.nio.file.Path.of(asked)));
  }

  static ProfileFile usual() {
    return new ProfileFile(StateDirectory.file("profile", ".json"));
  }

  static ProvenDevices of(Optional<ProfileFile> file, List<Device> devices) {
    List<String> notices = new ArrayList<>();
    boolean cards = devices.stream().anyMatch(device -> device.card().isPresent());
    if (!cards || file.isEmpty()) {
      return new ProvenDevices(Map.of(), Map.of(), OptionalInt.empty(), notices);
    }
    return of(file.get().read(notices::add), devices, Machine.here(), notices);
  }

  static ProvenDevices of(
      Profile profile, List<Device> devices, Machine machine, List<String> notices) {
    Map<DeviceId, Profile.Proven> proven = new LinkedHashMap<>();
    for (Device device : devices) {
      Optional<Profile.Key> now = Drivers.key(device, machine);
      now.flatMap(profile::of).ifPresent(known -> proven.put(device.id(), known));
      now.flatMap(key -> profile.voided(key).map(old -> voided(device, key, old.key())))
          .ifPresent(notices::add);
    }
    List<Device> known = devices.stream().filter(each -> proven.containsKey(each.id())).toList();
    boolean all = known.containsAll(devices.stream().filter(ProvenDevices::isNvidia).toList());
    return new ProvenDevices(
        proven,
        copies(profile.pairs(), known),
        all ? profile.hostSessions() : OptionalInt.empty(),
        notices);
  }

  private static boolean isNvidia(Device device) {
    return device.kind().equals(DeviceKind.CUDA);
  }

  private static Map<DeviceId, String> copies(List<Profile.Pair> pairs, List<Device> devices) {
    Map<DeviceId, String> copies = new LinkedHashMap<>();
    for (Device to : devices) {
      for (Device from : devices) {
        pairs.stream()
            .filter(pair -> pair.from().equals(address(from)) && pair.to().equals(address(to)))
            .map(pair ->
                String.format(
                    Locale.ROOT,
                    "from %s %s at %.1f GB/s",
                    from.label(),
                    pair.proven() ? "straight" : "over the host",
                    pair.gigabytesPerSecond()))
            .forEach(words -> copies.merge(to.id(), words, (one, more) -> one + " and " + more));
      }
    }
    return copies;
  }

  private static String address(Device device) {
    return device.card().map(Card::pciAddress).orElse("");
  }

  private static String voided(Device device, Profile.Key now, Profile.Key then) {
    String what =
        now.driver().equals(then.driver())
            ? "FFmpeg was %s and is %s".formatted(then.codecs(), now.codecs())
            : "its driver was %s and is %s".formatted(then.driver(), now.driver());
    return "What was proven of %s is void: %s; 'fairlead doctor' proves it anew"
        .formatted(device.label(), what);
  }

  /**
   * The same devices with as many slots as are worth it, and on cards of NVIDIA together no more
   * than the host has sessions, as long as each has one.
   */
  Discovery slotted(Discovery found) {
    Map<DeviceId, Integer> shares = shares(found.devices());
    List<Discovery.Found> slotted = new ArrayList<>();
    for (Discovery.Found each : found.found()) {
      Device device = slotted(each.device());
      Integer share = shares.get(device.id());
      slotted.add(
          new Discovery.Found(share == null ? device : device.withSlots(share), each.provider()));
    }
    return new Discovery(slotted, found.problems());
  }

  /** What each card has of the sessions; cards with few slots leave the rest to the others. */
  private Map<DeviceId, Integer> shares(List<Device> devices) {
    List<Device> cards =
        devices.stream()
            .filter(ProvenDevices::isNvidia)
            .map(this::slotted)
            .sorted(Comparator.comparingInt(Device::slots))
            .toList();
    Map<DeviceId, Integer> shares = new HashMap<>();
    int left = hostSessions.orElse(Integer.MAX_VALUE);
    for (Device card : cards) {
      int among = cards.size() - shares.size();
      int share = Math.clamp(Math.ceilDiv(left, among), 1, card.slots());
      shares.put(card.id(), share);
      left -= share;
    }
    return shares;
  }

  private Device slotted(Device device) {
    Profile.Proven known = proven.get(device.id());
    return known == null || known.encodeSlots().isEmpty()
        ? device
        : device.withSlots(known.encodeSlots().getAsInt());
  }
}
