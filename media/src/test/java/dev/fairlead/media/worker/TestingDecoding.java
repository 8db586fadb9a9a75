package dev.fairlead.media.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fairlead.media.av.Picture;
import dev.fairlead.media.chunk.Chunk;
import dev.fairlead.media.inspect.Inspection;
import dev.fairlead.media.plan.Pumps;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.settings.BudgetSize;
import dev.fairlead.media.settings.VideoOrder;
import dev.fairlead.media.source.VideoTrack;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.BytePointer;

/** Decodes a source as a worker does, and reads every chunk once. */
public final class TestingDecoding {
  /** Every picture of a chunk, its time and where the chunk ends. */
  private final SortedMap<Long, String> digests = new TreeMap<>();

  private final List<Report> reports = new ArrayList<>();

  private TestingDecoding() {}

  /** The command for a source, with room for so many chunks. */
  public static Command.Decode command(
      TranscodeRequest request, Pumps pumps, int room, Set<Long> finished) {
    TranscodePlan plan = TranscodePlan.of(Inspection.of(request.input()), request);
    VideoTrack video = plan.source().video();
    return new Command.Decode(
        new VideoOrder(
            request.input(),
            video.stream(),
            video.timeBase(),
            video.frameRate(),
            plan.grid().start(),
            plan.grid().start(),
            plan.grid().end().orElse(Long.MAX_VALUE),
            video.turn(),
            false,
            1,
            Optional.empty(),
            false),
        List.of(),
        plan.grid(),
        plan.timeline(),
        request.picture().maxFps(),
        plan.chunkPictures(),
        finished,
        BudgetSize.ofChunks(room),
        1,
        Set.of(),
        pumps,
        0,
        plan.expectedChunks().orElse(0),
        false);
  }

  /** The same for a source that claims to have so many chunks. */
  static Command.Decode claiming(Command.Decode command, long chunks) {
    return new Command.Decode(
        command.order(),
        command.cards(),
        command.grid(),
        command.timeline(),
        command.maxFps(),
        command.pictures(),
        command.finished(),
        command.room(),
        command.rungs(),
        command.done(),
        command.pumps(),
        command.share(),
        chunks,
        command.whole());
  }

  /** The same with chunks that are decoded to their ends, though no lane reads them. */
  static Command.Decode whole(Command.Decode command) {
    return new Command.Decode(
        command.order(),
        command.cards(),
        command.grid(),
        command.timeline(),
        command.maxFps(),
        command.pictures(),
        command.finished(),
        command.room(),
        command.rungs(),
        command.done(),
        command.pumps(),
        command.share(),
        command.chunks(),
        true);
  }

  static TranscodeRequest request(Path source) {
    return TranscodeRequest.of(source, source.resolveSibling("nowhere"));
  }

  /** Reads on so many threads, each a chunk at a time, in the order of their reports. */
  static TestingDecoding run(Command.Decode command, int readers) throws Exception {
    return run(command, readers, chunks -> {});
  }

  /** The same, with something that is done whenever a chunk begins. */
  static TestingDecoding run(Command.Decode command, int readers, Consumer<HeldChunks> meanwhile)
      throws Exception {
    TestingDecoding made = new TestingDecoding();
    HeldChunks chunks = new HeldChunks();
    Map<Long, Future<String>> reading = new HashMap<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(readers)) {
      chunks.decode(
          command,
          report -> {
            synchronized (made) {
              made.reports.add(report);
              if (report instanceof Report.Ready ready) {
                Chunk chunk = chunks.get(ready.chunk());
                reading.put(
                    ready.chunk(),
                    threads.submit(() -> {
                      try {
                        return digest(chunk);
                      } finally {
                        chunks.release(chunk.index());
                      }
                    }));
              }
            }
            if (report instanceof Report.Ready) {
              meanwhile.accept(chunks);
            }
          });
      for (Map.Entry<Long, Future<String>> each : reading.entrySet()) {
        made.digests.put(each.getKey(), each.getValue().get());
      }
    }
    return made;
  }

  private static String digest(Chunk chunk) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    int place = 0;
    for (Picture each = chunk.get(0); each != null; each = chunk.get(++place)) {
      digest.update((each.pts() + "/" + each.duration() + ";").getBytes(UTF_8));
      digest.update(bytes(each.frame()));
    }
    return "%d pictures to %d: %s"
        .formatted(place, chunk.end(), HexFormat.of().formatHex(digest.digest(), 0, 8));
  }

  private static byte[] bytes(AVFrame frame) {
    int size = avutil.av_image_get_buffer_size(frame.format(), frame.width(), frame.height(), 1);
    try (BytePointer buffer = new BytePointer(size)) {
      avutil.av_image_copy_to_buffer(
          buffer,
          size,
          frame.data(),
          frame.linesize(),
          frame.format(),
          frame.width(),
          frame.height(),
          1);
      byte[] bytes = new byte[size];
      buffer.get(bytes);
      return bytes;
    }
  }

  SortedMap<Long, String> digests() {
    return digests;
  }

  List<Report> reports() {
    return reports;
  }

  <T extends Report> List<T> reports(Class<T> kind) {
    return reports.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** How it ended, if that was well. */
  Report.Decoded end() {
    if (reports.getLast() instanceof Report.Decoded decoded) {
      return decoded;
    }
    throw new AssertionError(reports.getLast());
  }
}
