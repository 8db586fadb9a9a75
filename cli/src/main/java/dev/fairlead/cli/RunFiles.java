package dev.fairlead.cli;

import dev.fairlead.media.job.TranscodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The files about a run that are asked for. */
record RunFiles(@Nullable Path trace, @Nullable Path report) {
  static RunFiles none() {
    return new RunFiles(null, null);
  }

  /** Writes them; a run that ended before it was planned leaves none. */
  void write(Recording recording) {
    recording
        .plan()
        .ifPresent(plan -> {
          if (trace != null) {
            write(trace, TraceFile.of(recording));
          }
          if (report != null) {
            write(report, ReportPage.of(recording, plan));
          }
        });
  }

  private static void write(Path file, String text) {
    try {
      Path directory = file.toAbsolutePath().getParent();
      if (directory != null) {
        Files.createDirectories(directory);
      }
      Files.writeString(file, text);
    } catch (IOException failure) {
      throw new TranscodeException.Storage(
          "%s cannot be written: %s".formatted(file, failure.getMessage()), failure);
    }
  }
}
