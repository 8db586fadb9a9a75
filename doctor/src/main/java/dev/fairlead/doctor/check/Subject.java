package dev.fairlead.doctor.check;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.Discovery;
import dev.fairlead.doctor.host.Machine;
import dev.fairlead.media.prepare.DeviceTrials;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a process looks at: the machine, one device, or several together. */
public final class Subject implements AutoCloseable {
  private final Machine machine;
  private final Supplier<Discovery> look;
  private final Effort effort;
  private @Nullable Discovery discovery;
  private @Nullable DeviceTrials trials;

  /**
   * Looks at a machine.
   *
   * @param look finds the devices, which loads drivers: done when the first check asks for one
   */
  public Subject(Machine machine, Supplier<Discovery> look, Effort effort) {
    this.machine = machine;
    this.look = look;
    this.effort = effort;
  }

  private Discovery discovery() {
    if (discovery == null) {
      discovery = look.get();
    }
    return discovery;
  }

  public Machine machine() {
    return machine;
  }

  Effort effort() {
    return effort;
  }

  public List<Discovery.Found> found() {
    return discovery().found();
  }

  public List<Discovery.Problem> problems() {
    return discovery().problems();
  }

  public List<Device> devices() {
    return discovery().devices();
  }

  /** The device, where it is one. */
  public Device device() {
    return first().device();
  }

  private Discovery.Found first() {
    if (found().isEmpty()) {
      throw new IllegalStateException("the device is not there any more %s".formatted(problems()));
    }
    return found().getFirst();
  }

  /** What the device's backend says of it now. */
  String detail(String name) {
    Discovery.Found its = first();
    return its.provider().details(its.device()).getOrDefault(name, "");
  }

  /** The device of a label, open and bound to this thread; whoever asks closes it. */
  ComputeContext open(Discovery.Found its) {
    DeviceContext context = its.provider().open(its.device());
    context.bind();
    return context.as(ComputeContext.class, its.device());
  }

  ComputeContext open() {
    return open(first());
  }

  /** A worker process that reaches all devices; the same until something in it fails. */
  DeviceTrials trials() throws IOException {
    if (trials == null) {
      trials = DeviceTrials.open(devices(), List.of());
    }
    return trials;
  }

  /** One that may read a file. */
  DeviceTrials trials(Path file) throws IOException {
    return DeviceTrials.open(devices(), List.of(file));
  }

  /** Something has failed in the worker process: the next trial gets another one. */
  void forgetTrials() {
    if (trials != null) {
      trials.close();
      trials = null;
    }
  }

  @Override
  public void close() {
    forgetTrials();
  }
}
