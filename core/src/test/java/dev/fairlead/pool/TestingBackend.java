package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** A backend whose devices do as the test says, and which remembers every context it opened. */
public final class TestingBackend implements DeviceProvider {
  private final Map<DeviceId, TestingBehaviour> behaviours = new ConcurrentHashMap<>();
  private final List<TestingContext> contexts = new CopyOnWriteArrayList<>();

  /** Simulated devices of one slot, ordinals from zero. */
  public static List<Device> devices(int count) {
    return IntStream.range(0, count).mapToObj(TestingBackend::device).toList();
  }

  public static Device device(int ordinal) {
    return Device.of(DeviceKind.SIMULATED, ordinal);
  }

  /** How a device behaves from now on. */
  public TestingBehaviour on(Device device) {
    return behaviours.computeIfAbsent(device.id(), any -> new TestingBehaviour());
  }

  /** Every context that was opened on a device, oldest first. */
  public List<TestingContext> contexts(Device device) {
    return contexts.stream().filter(each -> each.device().id().equals(device.id())).toList();
  }

  public List<TestingContext> contexts() {
    return List.copyOf(contexts);
  }

  public Discovery found(List<Device> devices) {
    return Discovery.of(this, devices);
  }

  @Override
  public String scheme() {
    return "testing";
  }

  @Override
  public Discovery discover(List<String> terms) {
    return found(List.of());
  }

  /** Has samples of devices that are not open be those of open ones, which are counted there. */
  @Override
  public Optional<DeviceContext.Unopened> unopened(Device device) {
    return Optional.of(
        new DeviceContext.Unopened() {
          @Override
          public Optional<Sample> sample() {
            return on(device).sample();
          }
        });
  }

  @Override
  public DeviceContext open(Device device) {
    on(device).open();
    TestingContext context = new TestingContext(device, on(device));
    contexts.add(context);
    return context;
  }
}
