package dev.fairlead.media.worker;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Ffmpeg;
import dev.fairlead.media.chunk.NoRoom;
import dev.fairlead.media.decode.HardwareFailed;
import dev.fairlead.media.decode.SubtitleReading;
import dev.fairlead.media.inspect.Inspection;
import dev.fairlead.media.inspect.LargeSource;
import dev.fairlead.media.inspect.UnreadableSource;
import dev.fairlead.media.store.FileTrouble;
import dev.fairlead.media.trial.DecodeTrial;
import dev.fairlead.media.trial.EncoderTrial;
import dev.fairlead.media.trial.FramesTrial;
import dev.fairlead.media.trial.JoinTrial;
import dev.fairlead.media.trial.SessionsTrial;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.media.wire.Report;
import dev.fairlead.media.wire.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** Does what the parent says, each command on a thread of its own, and answers. */
final class WorkerSession {
  private final Wire<Command, Report> wire;
  private final HeldChunks chunks = new HeldChunks();
  private final Map<Long, AtomicBoolean> cancelled = new ConcurrentHashMap<>();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("worker ", 0).factory());

  WorkerSession(Wire<Command, Report> wire) {
    this.wire = wire;
  }

  /** Something that ends with an answer. */
  private interface Errand {
    Report.Answer run(BooleanSupplier stop) throws IOException, InterruptedException;
  }

  void obey(Command command) {
    switch (command) {
      case Command.InspectSource inspect ->
          answer(
              inspect.number(),
              stop ->
                  new Report.Inspected(
                      inspect.number(), Inspection.of(inspect.path()), Ffmpeg.version()));
      case Command.Decode decode -> threads.execute(() -> chunks.decode(decode, this::report));
      case Command.Encode encode ->
          answer(
              encode.number(),
              stop -> {
                ChunkEncoding.Cell cell = chunks.cell(encode.unit().chunk());
                chunks.begin(encode.unit());
                return ChunkEncoding.run(encode, cell, this::report, stop);
              });
      case Command.TestEncode test -> answer(test.number(), stop -> TestEncoding.run(test, stop));
      case Command.TryEncoder test ->
          answer(
              test.number(),
              stop ->
                  new Report.TriedEncoder(
                      test.number(), EncoderTrial.run(test.settings(), test.pictures(), stop)));
      case Command.TryFrames test ->
          answer(
              test.number(),
              stop ->
                  new Report.TriedFrames(
                      test.number(),
                      FramesTrial.run(
                          test.settings(), test.width(), test.height(), test.pictures(), stop)));
      case Command.TrySessions test ->
          answer(
              test.number(),
              stop ->
                  new Report.TriedSessions(
                      test.number(), SessionsTrial.run(test.each(), test.pictures(), stop)));
      case Command.TryDecoder test ->
          answer(
              test.number(),
              stop ->
                  new Report.TriedDecoder(
                      test.number(),
                      DecodeTrial.run(test.path(), test.on(), test.from(), test.pictures(), stop)));
      case Command.TryJoin test ->
          answer(
              test.number(),
              stop -> new Report.TriedJoin(test.number(), JoinTrial.run(test.each(), stop)));
      case Command.EncodeAudio audio ->
          answer(audio.number(), stop -> AudioEncoding.run(audio, this::report, stop));
      case Command.ReadSubtitles read ->
          answer(
              read.number(),
              stop ->
                  new Report.ReadSubtitles(
                      read.number(),
                      SubtitleReading.run(
                          read.path(), read.stream(), read.from(), read.to(), stop)));
      case Command.MakeClip clip -> answer(clip.number(), stop -> ClipMaking.run(clip, stop));
      case Command.Cancel cancel -> {
        AtomicBoolean stop = cancelled.get(cancel.number());
        if (stop != null) {
          stop.set(true);
        }
      }
      case Command.Resize resize -> chunks.resize(resize);
      case Command.Release release -> chunks.release(release.chunk());
    }
  }

  private void answer(long number, Errand errand) {
    AtomicBoolean stop = new AtomicBoolean();
    cancelled.put(number, stop);
    threads.execute(() -> {
      Report.Answer answer;
      try {
        answer = errand.run(new Signs(() -> report(new Report.Working(number)), stop::get));
      } catch (Exception | Error failure) {
        if (failure instanceof HardwareFailed hardware) {
          report(new Report.CardFailed(hardware.card()));
        }
        answer = new Report.Failed(number, failure(failure));
      }
      cancelled.remove(number);
      report(answer);
    });
  }

  private void report(Report report) {
    wire.send(report);
  }

  /** Whose fault it is. */
  static Failure failure(Throwable thrown) {
    if (thrown instanceof ChaosException wanted) {
      return wanted.failure();
    }
    if (thrown instanceof UncheckedIOException wrapped) {
      return new Failure(
          failure(Objects.requireNonNull(wrapped.getCause())).kind(), FileTrouble.words(wrapped));
    }
    String reason = thrown.getMessage() == null ? thrown.toString() : thrown.getMessage();
    Failure.Kind kind =
        switch (thrown) {
          case NoRoom large -> Failure.Kind.NO_ROOM;
          case LargeSource large -> Failure.Kind.NO_ROOM;
          case UnreadableSource unreadable -> Failure.Kind.UNREADABLE;
          case HardwareFailed device -> Failure.Kind.CRASHED;
          case CancellationException stopped -> Failure.Kind.CANCELLED;
          case InterruptedException stopped -> Failure.Kind.CANCELLED;
          case AvException av when av.isBusy() -> Failure.Kind.BUSY;
          case AvException av when av.isOutOfMemory() -> Failure.Kind.OUT_OF_MEMORY;
          case OutOfMemoryError full -> Failure.Kind.OUT_OF_MEMORY;
          case AvException av -> Failure.Kind.DEVICE;
          case IOException disk when FileTrouble.isFull(disk) -> Failure.Kind.NO_SPACE;
          case IOException disk -> Failure.Kind.IO;
          default -> Failure.Kind.WORK;
        };
    return new Failure(kind, reason);
  }
}
