package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.ProgramSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The programs that were built on a device, by source and options. What nobody uses any more is
 * kept for the next one who asks, up to a number: then the one that was idle longest goes.
 */
final class Programs {
  static final int MOST_IDLE = 32;

  /** A program as the driver has it, and how many use it. */
  static final class Build {
    private final ProgramSource source;
    private final long handle;
    private int users;

    private Build(ProgramSource source, long handle) {
      this.source = source;
      this.handle = handle;
    }

    long handle() {
      return handle;
    }

    ProgramSource.Language language() {
      return source.language();
    }
  }

  private final DriverSession session;
  private final Map<ProgramSource, Build> builds = new LinkedHashMap<>();

  Programs(DriverSession session) {
    this.session = session;
  }

  Program open(ProgramSource... choices) {
    Set<ProgramSource.Language> languages = session.ask(ComputeDriver::languages);
    ProgramSource source =
        Arrays.stream(choices)
            .filter(choice -> languages.contains(choice.language()))
            .findFirst()
            .orElseThrow(() ->
                new ComputeException.WrongLanguage(
                    "%s runs programs in %s, and the program is in %s"
                        .formatted(
                            session.device(),
                            languages,
                            Arrays.stream(choices).map(ProgramSource::language).toList())));
    return session.opened(new Program(session, this, use(source)));
  }

  /** Builds under the lock: whoever wants the same program meanwhile waits for this build. */
  private synchronized Build use(ProgramSource source) {
    Build build = builds.remove(source);
    if (build == null) {
      build = new Build(source, session.ask(driver -> driver.build(source)));
    }
    builds.put(source, build);
    build.users++;
    return build;
  }

  /** One more user of a build that is in use. */
  synchronized void share(Build build) {
    build.users++;
  }

  /** One user less; may release the build that was idle longest. */
  synchronized void leave(Build build, ComputeDriver driver) {
    build.users--;
    if (build.users > 0) {
      return;
    }
    builds.remove(build.source);
    builds.put(build.source, build);
    if (builds.values().stream().filter(each -> each.users == 0).count() > MOST_IDLE) {
      Build oldest =
          builds.values().stream().filter(each -> each.users == 0).findFirst().orElseThrow();
      builds.remove(oldest.source);
      driver.releaseProgram(oldest.handle);
    }
  }

  /** Releases all: the context ends. */
  synchronized void releaseAll(ComputeDriver driver) {
    builds.values().forEach(build -> driver.releaseProgram(build.handle));
    builds.clear();
  }
}
