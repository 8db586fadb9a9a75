package dev.fairlead.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class DeviceContextTest {
  private static final Device DEVICE = Device.of(DeviceKind.SIMULATED, 0);

  private final DeviceContext context = DeviceContext.none();
  private final Slot slot = new Slot(DEVICE, 0, 0, context);

  /** A context of a backend's own. */
  private static final class TestingContext implements DeviceContext {
    @Override
    public void close() {}
  }

  @Test
  void runsTheWorkAndLetsItsExceptionOut() throws IOException {
    assertThat(context.<Integer, IOException>execute(where -> where.number() + 7, slot))
        .isEqualTo(7);

    IOException failure = new IOException("disc full");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() ->
            context.<Integer, IOException>execute(
                where -> {
                  throw failure;
                },
                slot))
        .isSameAs(failure);
  }

  @Test
  void cannotTellOfMemoryAndPassesItsProbe() {
    assertThat(context.sample()).isEmpty();
    context.bind();
    context.probe();
    context.close();
  }

  @Test
  void blamesTheWorkUnlessTheExceptionNamesAnotherFault() {
    assertThat(context.classify(new IllegalStateException())).isEqualTo(Fault.WORK);
    assertThat(context.classify(new OutOfMemoryError())).isEqualTo(Fault.WORK);
    for (Fault fault : Fault.values()) {
      assertThat(context.classify(new DeviceException(fault, "failed"))).isEqualTo(fault);
    }
  }

  @Test
  void isGivenAsItsOwnTypeOrRefused() {
    TestingContext own = new TestingContext();

    assertThat(new Slot(DEVICE, 0, 0, own).context(TestingContext.class)).isSameAs(own);
    assertThatIllegalStateException()
        .isThrownBy(() -> slot.context(TestingContext.class))
        .withMessageContainingAll("simulated:0", "TestingContext");
  }

  @Test
  void refusesANegativeSample() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DeviceContext.Sample(-1, 0))
        .withMessage("A sample is not negative: -1 bytes free, 0 streams");
    assertThatIllegalArgumentException().isThrownBy(() -> new DeviceContext.Sample(0, -1));
  }
}
