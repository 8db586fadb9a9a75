package dev.fairlead.cuda;

import dev.fairlead.compute.driver.ProgramSource;
import dev.fairlead.device.ComputeCapability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;

/** The program of a probe, in PTX that every driver in use takes. */
final class CudaProbeProgram {
  /** What the program is written for; devices before that cannot run it, and are not asked to. */
  private static final ComputeCapability OLDEST = ComputeCapability.of(5, 0);

  private static final ProgramSource PROGRAM = ProgramSource.ptx(text());

  private CudaProbeProgram() {}

  static Optional<ProgramSource> on(CudaDevice device) {
    return device.capability().compareTo(OLDEST) < 0 ? Optional.empty() : Optional.of(PROGRAM);
  }

  private static String text() {
    try (var stream = CudaProbeProgram.class.getResourceAsStream("probe.ptx")) {
      return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
