package dev.fairlead.opencl;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Real OpenCL devices whose drivers fail as the test says: codes of OpenCL come out of calls. */
final class TestingFaults implements DeviceProvider {
  private final Map<String, Integer> codes = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> hangs = new ConcurrentHashMap<>();
  private final Discovery found;

  TestingFaults(String term) {
    Discovery real = TestingOpenCl.find(term);
    found = Discovery.of(this, real.devices());
  }

  Discovery found() {
    return found;
  }

  Device device(int index) {
    return found.devices().get(index);
  }

  /** From now on a function fails on a device; zero heals it. */
  void fail(Device device, String function, int code) {
    codes.put(device.id() + function, code);
  }

  /** The next call of a function on a device does not return until the latch opens. */
  void hang(Device device, String function, CountDownLatch until) {
    hangs.put(device.id() + function, until);
  }

  @Override
  public String scheme() {
    return "faults";
  }

  @Override
  public Discovery discover(List<String> terms) {
    return found;
  }

  @Override
  public DeviceContext open(Device device) {
    ComputeDriver real = TestingOpenCl.driver(device);
    ComputeDriver faulty =
        (ComputeDriver)
            Proxy.newProxyInstance(
                TestingFaults.class.getClassLoader(),
                new Class<?>[] {ComputeDriver.class},
                (proxy, method, arguments) -> {
                  String call = device.id() + method.getName();
                  CountDownLatch until = hangs.remove(call);
                  if (until != null) {
                    until.await();
                  }
                  ClCodes.ENDS.check(method.getName(), codes.getOrDefault(call, 0));
                  try {
                    return method.invoke(real, arguments);
                  } catch (InvocationTargetException failure) {
                    throw failure.getCause();
                  }
                });
    return ComputeContext.over(device, faulty);
  }
}
