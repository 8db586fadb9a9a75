package dev.fairlead.doctor.check;

import dev.fairlead.compute.ComputeContext;
import java.util.OptionalInt;

/** Whether a kernel computes what it should, byte for byte. */
final class KernelCheck implements Check {
  static final String RESTART =
      "Restart the machine; if it stays so, the card or its memory is damaged: look into dmesg";

  @Override
  public String id() {
    return "kernel";
  }

  @Override
  public Finding run(Subject subject) {
    try (ComputeContext context = subject.open()) {
      OptionalInt mistake = Kernels.firstMistake(context);
      return mistake.isEmpty()
          ? Finding.pass("%d numbers are right to the byte".formatted(Kernels.NUMBERS))
          : Finding.fail("the number at place %d is wrong".formatted(mistake.getAsInt()), RESTART);
    }
  }
}
