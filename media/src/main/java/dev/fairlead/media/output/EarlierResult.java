package dev.fairlead.media.output;

import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.plan.OutputFormat;
import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.progress.JobStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The result of a job that an earlier run has finished, by the output and the journal. */
public final class EarlierResult {
  private EarlierResult() {}

  public static TranscodeResult result(TranscodePlan plan, JobStore store) {
    Map<String, Long> frames = store.framesByRung();
    List<TranscodeResult.RungResult> rungs =
        plan.rungs().stream().map(rung -> result(plan, rung, frames)).toList();
    return new TranscodeResult(
        "unchanged", plan.request().output(), rungs, List.of(), 0, 0, 1, 0, 0, 0, "");
  }

  private static TranscodeResult.RungResult result(
      TranscodePlan plan, Rung rung, Map<String, Long> frames) {
    Path manifest = PackageWriter.manifest(plan, rung);
    List<Long> segments = sizes(plan.request().output().resolve(rung.name()));
    long bytes = segments.stream().mapToLong(Long::longValue).sum();
    return new TranscodeResult.RungResult(
        rung.name(),
        rung.width(),
        rung.height(),
        frames.getOrDefault(rung.name(), 0L),
        segments.size(),
        plan.request().format() == OutputFormat.MP4 ? manifest.toFile().length() : bytes,
        manifest);
  }

  private static List<Long> sizes(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".m4s"))
          .map(file -> file.toFile().length())
          .toList();
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot list " + directory, failure);
    }
  }
}
