package dev.fairlead.cli;

import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.report.Recording;
import dev.fairlead.media.report.ReportPage;
import dev.fairlead.media.report.RunOrigin;
import dev.fairlead.media.report.TraceFile;
import dev.fairlead.media.store.FileTrouble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The files about a run that are asked for. */
record RunFiles(@Nullable Path trace, @Nullable Path report, RunOrigin origin) {
  private static final Pattern OF_A_PACKAGE = Pattern.compile("\\.(m3u8|m4s|mp4|vtt)$");

  /** Makes sure that they replace neither the input nor what is made of it. */
  void check(Path input, Path output) {
    if (trace != null && report != null && real(trace).equals(real(report))) {
      throw new IllegalArgumentException("--trace and --report name the same file, " + report);
    }
    check("--trace", trace, input, output);
    check("--report", report, input, output);
  }

  private static void check(String option, @Nullable Path file, Path input, Path output) {
    if (file == null) {
      return;
    }
    if (isSame(file, input)) {
      throw new IllegalArgumentException(
          "%s %s would replace the input; name another file".formatted(option, file));
    }
    boolean inside = real(file).startsWith(real(output));
    if (real(file).startsWith(real(output.resolve(".fairlead")))
        || (inside && OF_A_PACKAGE.matcher(file.toString()).find())) {
      throw new IllegalArgumentException(
          "%s %s has the name of a file of the package; name another".formatted(option, file));
    }
  }

  private static boolean isSame(Path one, Path other) {
    try {
      return Files.exists(one) && Files.exists(other) && Files.isSameFile(one, other);
    } catch (IOException unknown) {
      return real(one).equals(real(other));
    }
  }

  /** Where a file is, or would be, without links as far as that is known. */
  static Path real(Path file) {
    Path whole = file.toAbsolutePath().normalize();
    try {
      return file.toRealPath();
    } catch (IOException absent) {
      Path directory = whole.getParent();
      return directory == null ? whole : real(directory).resolve(whole.getFileName());
    }
  }

  /** Writes them; a run that ended before anything was planned leaves none. */
  void write(Recording recording) {
    if (recording.jobs().stream().allMatch(job -> job.plan().isEmpty())) {
      return;
    }
    if (trace != null) {
      write(trace, TraceFile.of(recording));
    }
    if (report != null) {
      write(report, ReportPage.of(recording, origin));
    }
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
          "%s cannot be written: %s".formatted(file, FileTrouble.words(failure)), failure);
    }
  }
}
