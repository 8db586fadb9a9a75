package dev.fairlead.media.ladder;

import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.plan.AudioPlan;
import dev.fairlead.media.plan.SubtitlePlan;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.progress.EndOfJob;
import dev.fairlead.media.progress.FinishedSound;
import dev.fairlead.media.settings.AudioSettings;
import dev.fairlead.media.store.JournalEntry;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.supervise.FailedException;
import dev.fairlead.media.wire.Caption;
import dev.fairlead.media.wire.Chaos;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Does the tracks beside the video: audio, then subtitles, one after another. An audio track that
 * is lost with its worker goes on after its last piece, and one that is complete is never decoded
 * again; subtitles are read again. One that kills or holds up its worker on its own is left out.
 */
final class TrackWork {
  /** In some files, a packet of a track comes only after much else is read. */
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  /** Takes what is done, on another thread than the job's. */
  interface Sink {
    void sound(AudioPlan audio, FinishedSound sound);

    void subtitles(SubtitlePlan plan, List<Caption> captions);

    /** An audio track is left out. */
    void without(AudioPlan audio);

    /** Something that people should know of. */
    void notice(String what);

    void ended();

    void failed(TranscodeException failure);
  }

  private final LadderParts parts;
  private final Sink sink;

  private TrackWork(LadderParts parts, Sink sink) {
    this.parts = parts;
    this.sink = sink;
  }

  static void start(LadderParts parts, Sink sink) {
    Thread.ofVirtual().name("tracks").start(new TrackWork(parts, sink)::run);
  }

  private void run() {
    try {
      for (AudioPlan audio : parts.plan().audio()) {
        make(audio);
      }
      for (SubtitlePlan subtitles : parts.plan().subtitles()) {
        read(subtitles);
      }
      sink.ended();
    } catch (FailedException failed) {
      sink.failed(EndOfJob.of(parts.plan().request(), failed.failure()));
    } catch (RuntimeException failed) {
      sink.failed(
          new TranscodeException.GaveUp(
              "The audio cannot be encoded: " + failed.getMessage(), failed));
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sound that cannot be had is no reason to have no video. */
  private void make(AudioPlan audio) throws InterruptedException {
    try {
      AudioPlan begun = begun(audio);
      Optional<FinishedSound> finished = parts.store().sound(audio.name());
      if (finished.isPresent()) {
        take(begun, finished.get());
      } else {
        encode(begun);
      }
    } catch (FailedException failed) {
      switch (failed.failure().kind()) {
        case WORK, DEVICE -> {
          sink.notice(
              "Audio track %s is left out: %s".formatted(audio.name(), failed.failure().reason()));
          sink.without(audio);
        }
        case UNREADABLE, BUSY, OUT_OF_MEMORY, NO_ROOM, LOST, NO_SPACE, IO, CANCELLED, CRASHED ->
            throw failed;
      }
    }
  }

  /** As an earlier run went on with it: a track that it could not copy is encoded. */
  private AudioPlan begun(AudioPlan audio) {
    JournalEntry.Promise encoded = promise(audio.encoded());
    return encoded.equals(parts.store().promises().get(audio.name())) ? audio.encoded() : audio;
  }

  private static JournalEntry.Promise promise(AudioPlan audio) {
    byte[] action = audio.action().name().getBytes(StandardCharsets.US_ASCII);
    return JournalEntry.Promise.of(audio.name(), action, new byte[0]);
  }

  /** Pieces that were made in another way are void from here on. */
  private void encode(AudioPlan audio) throws InterruptedException {
    parts.store().promise(promise(audio));
    AudioSettings settings = settings(audio);
    Path directory = parts.store().chunkDirectory(audio.name());
    Report.Answer answer =
        parts
            .supervisor()
            .runTrack(
                next(audio),
                number -> {
                  UnitId next = next(audio);
                  Chaos chaos = parts.rehearsal().begin(next);
                  return new Command.EncodeAudio(number, next, settings, directory, chaos);
                },
                PATIENCE);
    if (answer instanceof Report.NotCopied otherwise) {
      sink.notice(
          "Audio track %s is encoded as Opus, not copied: %s"
              .formatted(audio.name(), otherwise.reason()));
      encode(audio.encoded());
    } else {
      Report.EncodedSound sound = (Report.EncodedSound) answer;
      take(audio, new FinishedSound(sound.audio(), sound.pieces()));
    }
  }

  private void take(AudioPlan audio, FinishedSound sound) {
    sound
        .audio()
        .notices()
        .forEach(what -> sink.notice("Audio track %s %s".formatted(audio.name(), what)));
    sink.sound(audio, sound);
  }

  /** The part of a track that goes with the video. */
  private AudioSettings settings(AudioPlan audio) {
    TranscodePlan plan = parts.plan();
    return new AudioSettings(
        plan.request().input().toAbsolutePath(), audio, plan.from(), plan.to());
  }

  /** The first piece of a track that is not there. */
  private UnitId next(AudioPlan audio) {
    Set<Long> there = parts.store().pieces(audio.name()).keySet();
    long next = 0;
    while (there.contains(next)) {
      next++;
    }
    return new UnitId(audio.name(), next);
  }

  /** Subtitles that cannot be read are no reason to have no video. */
  private void read(SubtitlePlan subtitles) throws InterruptedException {
    try {
      Report.ReadSubtitles read =
          (Report.ReadSubtitles)
              parts
                  .supervisor()
                  .runTrack(
                      new UnitId(subtitles.name(), 0),
                      number ->
                          new Command.ReadSubtitles(
                              number,
                              parts.plan().request().input().toAbsolutePath(),
                              subtitles.track().stream(),
                              parts.plan().from(),
                              parts.plan().to()),
                      PATIENCE);
      sink.subtitles(subtitles, read.captions());
    } catch (FailedException failed) {
      sink.notice(
          "The subtitles in stream %d are left out: %s"
              .formatted(subtitles.track().stream(), failed.failure().reason()));
    }
  }
}
