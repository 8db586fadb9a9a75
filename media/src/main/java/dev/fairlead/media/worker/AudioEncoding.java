package dev.fairlead.media.worker;

import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.encode.AudioTracks;
import dev.fairlead.media.encode.NotCopied;
import dev.fairlead.media.encode.SoundSink;
import dev.fairlead.media.store.ChunkFile;
import dev.fairlead.media.store.ChunkHeader;
import dev.fairlead.media.store.ChunkWriter;
import dev.fairlead.media.store.Sample;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.EncodedAudio;
import dev.fairlead.media.wire.Report;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes an audio track from start to end, and puts it on disk piece by piece. */
final class AudioEncoding implements SoundSink, AutoCloseable {
  private final Command.EncodeAudio command;
  private final Consumer<Report> reports;
  private int sampleRate = 1;
  private long pieceTicks = 1;
  private long piece = -1;
  private long end;
  private @Nullable ChunkWriter writer;

  private AudioEncoding(Command.EncodeAudio command, Consumer<Report> reports) {
    this.command = command;
    this.reports = reports;
  }

  static Report.Answer run(
      Command.EncodeAudio command, Consumer<Report> reports, BooleanSupplier stop)
      throws InterruptedException {
    ChaosException.make(command.chaos());
    try (AudioEncoding errand = new AudioEncoding(command, reports)) {
      EncodedAudio audio =
          AudioTracks.run(command.settings(), command.first().chunk(), errand, stop);
      errand.commit();
      return new Report.EncodedSound(command.number(), audio, errand.pieces());
    } catch (NotCopied otherwise) {
      return new Report.NotCopied(command.number(), String.valueOf(otherwise.getMessage()));
    }
  }

  @Override
  public void begin(int rate, long ticks) {
    sampleRate = rate;
    pieceTicks = ticks;
  }

  @Override
  public void add(Encoded packet) {
    long its = Math.max(piece, Math.floorDiv(Math.max(0, packet.pts()), pieceTicks));
    if (its != piece) {
      commit();
      piece = its;
    }
    end = packet.pts() + packet.duration();
    if (its < command.first().chunk()) {
      return;
    }
    if (writer == null) {
      writer = ChunkWriter.open(file(), ChunkHeader.of(unit(), sampleRate, new byte[0]));
    }
    writer.add(new Sample(packet.pts(), packet.dts(), packet.duration(), true, packet.data()));
  }

  /** How many the track has; if all were there already, none of them came again. */
  private long pieces() {
    return Math.max(piece + 1, command.first().chunk());
  }

  private UnitId unit() {
    return new UnitId(command.first().rung(), piece);
  }

  private Path file() {
    return command.directory().resolve("%06d-audio.chunk".formatted(piece));
  }

  private void commit() {
    if (writer != null) {
      ChunkFile.Summary written = writer.commit();
      writer.close();
      writer = null;
      reports.accept(new Report.SoundPiece(unit(), file(), written, (double) end / sampleRate));
    }
  }

  @Override
  public void close() {
    if (writer != null) {
      writer.close();
      writer = null;
    }
  }
}
