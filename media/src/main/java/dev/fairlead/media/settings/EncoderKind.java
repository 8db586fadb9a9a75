package dev.fairlead.media.settings;

import dev.fairlead.media.plan.EncodingChoice;
import dev.fairlead.media.plan.Memory;
import dev.fairlead.media.plan.VideoCodec;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The encoders that Fairlead drives, and the options of each. */
public enum EncoderKind {
  SVT_AV1("libsvtav1", "av1") {
    // From this preset on, blocks that are flat as a whole may stay as they were in the picture
    // before, unless their quantizer is lowered; from the next one on even so if it is very large.
    private static final int FLAT_BLOCKS_STAY = 10;
    private static final int CRF_TOO_LARGE = 50;

    // One thread an encoder: every lane is a core, and the bytes do not depend on the machine.
    private static final String ONE_THREAD = "lp=1";
    private static final String FINER_FLAT_BLOCKS =
        ":enable-variance-boost=1:variance-boost-strength=3:variance-octile=8";

    @Override
    public Map<String, String> options(VideoSettings settings) {
      int fastest =
          settings.crf() > CRF_TOO_LARGE ? FLAT_BLOCKS_STAY : EncodingChoice.FASTEST_PRESET;
      int preset = Math.min(settings.preset(), fastest);
      return Map.of(
          "preset",
          String.valueOf(preset),
          "crf",
          String.valueOf(settings.crf()),
          "svtav1-params",
          preset < FLAT_BLOCKS_STAY ? ONE_THREAD : ONE_THREAD + FINER_FLAT_BLOCKS);
    }
  },
  AOM_AV1("libaom-av1", "av1") {
    private static final int FASTEST = 8;

    @Override
    public Map<String, String> options(VideoSettings settings) {
      return Map.of(
          "cpu-used",
          String.valueOf(Math.min(FASTEST, settings.preset())),
          "crf",
          String.valueOf(settings.crf()),
          "usage",
          settings.preset() > FASTEST ? "realtime" : "good",
          "row-mt",
          "0");
    }
  },
  OPEN_H264("libopenh264", "h264") {
    @Override
    public Map<String, String> options(VideoSettings settings) {
      // A quantizer that cannot move is a quality; with a limit it moves up from there.
      String quantizer = String.valueOf(settings.crf());
      return Map.of(
          "profile",
          "high",
          "allow_skip_frames",
          "0",
          "qmin",
          quantizer,
          "qmax",
          takesQuality(settings) ? quantizer : "51");
    }
  },
  NVENC_AV1("av1_nvenc", "av1"),
  NVENC_HEVC("hevc_nvenc", "hevc"),
  NVENC_H264("h264_nvenc", "h264"),
  VAAPI_AV1("av1_vaapi", "av1"),
  VAAPI_HEVC("hevc_vaapi", "hevc"),
  VAAPI_H264("h264_vaapi", "h264");

  private static final int SLOWEST_NVENC = 7; // its presets are p1, fastest, to p7
  private static final int AV1_STEPS = 4; // of 256 quantizers for one of 64 quality levels

  private final String encoder;
  private final String codec;

  EncoderKind(String encoder, String codec) {
    this.encoder = encoder;
    this.codec = codec;
  }

  /** Its name in FFmpeg. */
  public String encoder() {
    return encoder;
  }

  /** The codec that it makes: av1, hevc or h264. */
  public String codec() {
    return codec;
  }

  /** Whether it needs no device but the processor. */
  public boolean runsOnProcessor() {
    return this == SVT_AV1 || this == AOM_AV1 || this == OPEN_H264;
  }

  /** Whether it reads pictures from the memory of a VAAPI device. */
  public boolean isVaapi() {
    return this == VAAPI_AV1 || this == VAAPI_HEVC || this == VAAPI_H264;
  }

  /** Whether it encodes on a device of CUDA. */
  public boolean isNvenc() {
    return !runsOnProcessor() && !isVaapi();
  }

  /** What its devices are opened through; empty if it needs none. */
  public Optional<String> api() {
    return runsOnProcessor()
        ? Optional.empty()
        : Optional.of(isVaapi() ? HardwareAddress.VAAPI : HardwareAddress.CUDA);
  }

  /** Whether it is given a quality, and not a bit rate. */
  boolean takesQuality(VideoSettings settings) {
    // VAAPI has no quality with a limit that every driver knows, OpenH264 has none at all.
    return !((isVaapi() || this == OPEN_H264) && settings.maxrate() > 0);
  }

  /** The coarsest quality. */
  int largestCrf() {
    return VideoCodec.valueOf(codec.toUpperCase(Locale.ROOT)).largestCrf();
  }

  /** Whether chunks that are made at different bit rates have the same header. */
  boolean writesNoRates() {
    return codec.equals("av1");
  }

  /** The bit rate that it is given; zero for none. */
  public long bitRate(VideoSettings settings) {
    // libaom knows a limit only beside a rate, which does not keep it from a smaller one.
    boolean both = this == AOM_AV1 && settings.maxrate() > 0;
    return both ? settings.toldMaxrate() : takesQuality(settings) ? 0 : settings.usualBitRate();
  }

  public Map<String, String> options(VideoSettings settings) {
    return isVaapi() ? vaapi(settings) : nvenc(settings);
  }

  private Map<String, String> vaapi(VideoSettings settings) {
    int quality = settings.crf() * (this == VAAPI_AV1 ? AV1_STEPS : 1);
    if (takesQuality(settings)) {
      return Map.of("rc_mode", "CQP", "global_quality", String.valueOf(Math.max(1, quality)));
    }
    return this == VAAPI_AV1
        ? Map.of("rc_mode", "VBR")
        : Map.of("rc_mode", "VBR", "qmin", String.valueOf(quality));
  }

  private static Map<String, String> nvenc(VideoSettings settings) {
    Map<String, String> options = new TreeMap<>();
    options.put("rc", "vbr");
    // With few a card soon has nothing left to do while no processor is free to hand it more.
    ScalingTarget target = settings.target();
    int surfaces = Memory.uploaded(target.width(), target.height(), target.depth());
    options.put("surfaces", String.valueOf(surfaces));
    // Zero would leave the choice to the driver.
    options.put("cq", String.valueOf(Math.max(1, settings.crf())));
    options.put(
        "preset",
        "p"
            + (SLOWEST_NVENC
                - settings.preset() * (SLOWEST_NVENC - 1) / EncodingChoice.FASTEST_PRESET));
    return options;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
