package dev.fairlead.media.worker;

import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.chunk.Chunk;
import dev.fairlead.media.encode.ChunkCheck;
import dev.fairlead.media.encode.EncodedChunk;
import dev.fairlead.media.encode.LimitedEncoder;
import dev.fairlead.media.plan.ChunkGrid;
import dev.fairlead.media.plan.Timeline;
import dev.fairlead.media.store.ChunkFile;
import dev.fairlead.media.store.ChunkHeader;
import dev.fairlead.media.store.Sample;
import dev.fairlead.media.wire.Chaos;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Encodes a chunk, checks what came out, and puts it on disk. */
final class ChunkEncoding {
  private ChunkEncoding() {}

  /** A chunk, and where it is in time. */
  record Cell(Chunk chunk, ChunkGrid grid, Timeline timeline) {}

  static Report.Encoded run(
      Command.Encode command, Cell cell, Consumer<Report> reports, BooleanSupplier stop)
      throws IOException, InterruptedException {
    long begun = System.nanoTime();
    ChaosException.make(command.chaos());
    Chunk chunk = cell.chunk;
    Timeline timeline = cell.timeline;
    LimitedEncoder.Limited limited =
        LimitedEncoder.encode(
            chunk,
            command.settings(),
            cell.grid.startOf(chunk.index()),
            cell.grid.startOf(chunk.index() + 1),
            stop);
    EncodedChunk encoded = spoilt(limited.chunk(), command.chaos());
    ChunkCheck.check(chunk, encoded, command.settings().kind());
    if (limited.strain() > 1) {
      reports.accept(
          new Report.Noticed(
              "Rung %s exceeds its maxrate in places: no quality is coarse enough for it"
                  .formatted(command.unit().rung())));
    }
    List<Sample> samples = samples(chunk, encoded, timeline);
    ChunkFile.Summary written =
        ChunkFile.write(
            command.file(),
            ChunkHeader.of(command.unit(), timeline.timescale(), encoded.header())
                .with("encoder", command.settings().kind())
                .with("frames", command.settings().deviceFrames() ? "device" : "host"),
            samples);
    long worked = System.nanoTime() - begun - limited.waitedNanos();
    return new Report.Encoded(
        command.number(), encoded.header(), samples.getFirst().data(), written, worked);
  }

  private static EncodedChunk spoilt(EncodedChunk encoded, Chaos chaos) {
    List<Encoded> packets = new ArrayList<>(encoded.packets());
    if (chaos == Chaos.LIE) {
      packets.removeLast();
    } else if (chaos == Chaos.GARBLE) {
      Encoded last = packets.removeLast();
      byte[] noise = new byte[last.data().length];
      Arrays.fill(noise, (byte) 0x5a);
      packets.add(new Encoded(last.pts(), last.dts(), last.duration(), last.key(), noise));
    }
    return new EncodedChunk(encoded.header(), packets);
  }

  /** A picture lasts until the next one is shown; the last of the chunk until the next chunk. */
  private static List<Sample> samples(Chunk chunk, EncodedChunk encoded, Timeline timeline) {
    long[] times = encoded.packets().stream().mapToLong(Encoded::pts).sorted().toArray();
    return encoded.packets().stream()
        .map(packet -> {
          int place = Arrays.binarySearch(times, packet.pts());
          long end = place + 1 < times.length ? times[place + 1] : chunk.end();
          long pts = timeline.ticks(packet.pts());
          return new Sample(
              pts,
              Math.min(pts, timeline.ticks(packet.dts())),
              timeline.ticks(end) - pts,
              packet.key(),
              packet.data());
        })
        .toList();
  }
}
