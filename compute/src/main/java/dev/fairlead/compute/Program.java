package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.ProgramSource;
import java.util.List;

/** A program that was built for a device. Closing it gives it back to the cache it came from. */
public final class Program extends DriverResource {
  private final Programs programs;
  private final Programs.Build build;

  Program(DriverSession session, Programs programs, Programs.Build build) {
    super(session, build.handle());
    this.programs = programs;
    this.build = build;
  }

  /**
   * Opens a kernel; it stays good when the program is closed.
   *
   * @throws ComputeException.NoSuchKernel if the program has none of that name
   */
  public Kernel kernel(String name) {
    return session()
        .ask(
            List.of(this),
            driver -> {
              long handle = driver.kernel(rawHandle(), name);
              programs.share(build);
              return session()
                  .opened(new Kernel(session(), handle, name, driver.parameters(handle), this));
            });
  }

  ProgramSource.Language language() {
    return build.language();
  }

  /** A kernel of this program has gone. */
  void kernelReleased(ComputeDriver driver) {
    programs.leave(build, driver);
  }

  @Override
  void release(ComputeDriver driver) {
    programs.leave(build, driver);
  }

  @Override
  String what() {
    return "A program";
  }
}
