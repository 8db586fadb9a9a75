package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.compute.driver.Parameter;
import java.util.List;
import java.util.Optional;

/** A function of a program that runs once for each item of a grid. */
public final class Kernel extends DriverResource {
  private final String name;
  private final Optional<List<Parameter>> parameters;
  private final Program program;
  private final Object launching = new Object();

  Kernel(
      DriverSession session,
      long handle,
      String name,
      Optional<List<Parameter>> parameters,
      Program program) {
    super(session, handle);
    this.name = name;
    this.parameters = parameters.map(List::copyOf);
    this.program = program;
  }

  public String name() {
    return name;
  }

  /** What it takes; empty where the driver cannot tell. */
  public Optional<List<Parameter>> parameters() {
    return parameters;
  }

  /** Whether local memory is among what it takes. */
  boolean listsLocalMemory() {
    return program.language().listsLocalMemory();
  }

  /** Held while it is launched: some drivers keep the arguments in the kernel until then. */
  Object launching() {
    return launching;
  }

  @Override
  void release(ComputeDriver driver) {
    driver.releaseKernel(rawHandle());
    program.kernelReleased(driver);
  }

  @Override
  String what() {
    return "The kernel " + name;
  }
}
