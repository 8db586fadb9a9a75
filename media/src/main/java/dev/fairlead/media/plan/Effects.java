package dev.fairlead.media.plan;

import dev.fairlead.media.source.MediaInfo;
import dev.fairlead.media.source.Rational;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was asked for, and has no effect on this source or with these encoders: a note for each. */
final class Effects {
  /** SVT-AV1 takes what is faster as this one. */
  private static final int FASTEST_OF_SVT = 11;

  private final MediaInfo source;
  private final TranscodeRequest request;
  private final List<String> notes = new ArrayList<>();

  private Effects(MediaInfo source, TranscodeRequest request) {
    this.source = source;
    this.request = request;
  }

  /** A note for each choice without effect; what is left to its default is no choice. */
  static List<String> notes(MediaInfo source, TranscodeRequest request) {
    Effects effects = new Effects(source, request);
    effects.preset();
    effects.picture();
    effects.sound();
    effects.segments();
    return effects.notes;
  }

  private void preset() {
    if (request.encoding().preset().isEmpty()) {
      return;
    }
    int preset = request.encoding().preset().getAsInt();
    switch (request.encoding().codec()) {
      case AV1 -> {
        if (preset > FASTEST_OF_SVT) {
          notes.add(
              "Preset %d is the same as %d on lanes of the processor: SVT-AV1 has no faster one"
                  .formatted(preset, FASTEST_OF_SVT));
        }
      }
      case H264 ->
          notes.add(
              "Preset %d has no effect on lanes of the processor: OpenH264 has no presets"
                  .formatted(preset));
      case HEVC -> {}
    }
  }

  private void picture() {
    PictureChoice picture = request.picture();
    Rational rate = source.video().frameRate();
    if (picture.hdr() == PictureChoice.Hdr.KEEP && !source.video().colour().isHdr()) {
      notes.add("The source has no high dynamic range that could be kept");
    }
    if (picture.deinterlace() == PictureChoice.Deinterlace.OFF && !source.video().interlaced()) {
      notes.add("The source is not interlaced: nothing would have been deinterlaced");
    }
    picture
        .maxFps()
        .filter(most -> rate.num() > 0 && most.value() >= rate.value())
        .ifPresent(most ->
            notes.add(
                String.format(
                    Locale.ROOT,
                    "The source has %.4g frames a second: none is dropped for at most %.4g",
                    rate.value(),
                    most.value())));
  }

  private void sound() {
    boolean wanted =
        switch (request.audio()) {
          case OPUS, AAC, COPY -> true;
          case AUTO, NONE -> false;
        };
    if (wanted && source.audio().isEmpty()) {
      notes.add("The source has no sound");
    }
  }

  private void segments() {
    if (request.format() == OutputFormat.MP4 && !request.packaging().isOfUsualSegments()) {
      notes.add("MP4 files have no segments: their length has no effect");
    }
  }
}
