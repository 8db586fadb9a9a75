package dev.fairlead.media.prepare;

import dev.fairlead.device.Device;
import dev.fairlead.media.choice.DeviceAddress;
import dev.fairlead.media.choice.EncoderChoice;
import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.codec.UnreadableHeaderException;
import dev.fairlead.media.codec.VideoSequence;
import dev.fairlead.media.job.Remedy;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.plan.EncodingChoice;
import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.plan.VideoCodec;
import dev.fairlead.media.settings.EncoderKind;
import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.settings.ScalingTarget;
import dev.fairlead.media.settings.VideoSettings;
import dev.fairlead.media.source.Rational;
import dev.fairlead.media.store.JournalEntry;
import dev.fairlead.media.supervise.FailedException;
import dev.fairlead.media.supervise.Supervisor;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.media.wire.Report;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.units.Party;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Which device encodes what, with which encoder, and what all of them promise for each rung. Found
 * out by test encodes at each rung's size and depth, before the first chunk.
 */
public final class Encoders {
  private static final Duration TO_TEST = Duration.ofMinutes(1);
  private static final int USUAL_RATE = 25;
  private static final SessionWait SESSIONS = SessionWait.usual();

  private final TranscodePlan plan;
  private final TrialRules rules;
  private final Map<Device, EncoderKind> kinds = new LinkedHashMap<>();
  private final List<RungPromise> promises = new ArrayList<>();

  private Encoders(TranscodePlan plan, TrialRules rules) {
    this.plan = plan;
    this.rules = rules;
  }

  /**
   * Tests every device for every rung.
   *
   * @param before by rung, what the chunks of an earlier run promise
   * @param rules which devices are tried, and how
   */
  public static Encoders test(
      TranscodePlan plan,
      List<Device> devices,
      Supervisor supervisor,
      Map<String, JournalEntry.Promise> before,
      TrialRules rules)
      throws InterruptedException {
    Encoders encoders = new Encoders(plan, rules);
    for (Device device : devices) {
      EncoderChoice.of(device, codec(plan)).ifPresent(kind -> encoders.kinds.put(device, kind));
    }
    if (encoders.kinds.isEmpty()) {
      throw new TranscodeException.NoCapableDevice(
          "None of the devices %s encodes %s"
              .formatted(
                  devices.stream().map(Device::label).collect(Collectors.joining(", ")),
                  plan.video().codec()),
          Remedy.OTHER_CODEC);
    }
    for (Rung rung : plan.rungs()) {
      Optional<RungPromise> promised =
          Optional.ofNullable(before.get(rung.name())).map(encoders::promised);
      encoders.promises.add(encoders.promise(rung, promised, supervisor));
    }
    return encoders;
  }

  /**
   * What GPUs could do that cannot encode what was asked for, as the end of a sentence: the codecs
   * with which one of them has encoded the largest rung. Empty if there is none.
   */
  public static String alternatives(
      TranscodePlan plan, List<Device> devices, Supervisor supervisor, TrialRules rules)
      throws InterruptedException {
    Encoders encoders = new Encoders(plan, rules);
    List<String> able = new ArrayList<>();
    for (VideoCodec codec : VideoCodec.values()) {
      for (Device device : devices) {
        Optional<EncoderKind> kind =
            codec == plan.video().codec() || able.contains(name(codec))
                ? Optional.empty()
                : EncoderChoice.of(device, name(codec)).filter(each -> !each.runsOnProcessor());
        if (kind.isPresent()) {
          try {
            encoders.test(
                device, encoders.settings(plan.rungs().getFirst(), device, kind.get()), supervisor);
            able.add(name(codec));
          } catch (FailedException unable) {
            // It is none of those that can.
          }
        }
      }
    }
    return able.isEmpty() ? "" : "; a GPU here encodes " + String.join(" or ", able);
  }

  /** Whether a device has an encoder for a plan's codec; whether that works is to be tested. */
  public static boolean mayEncode(TranscodePlan plan, Device device) {
    return EncoderChoice.of(device, codec(plan)).isPresent();
  }

  private RungPromise promise(Rung rung, Optional<RungPromise> before, Supervisor supervisor)
      throws InterruptedException {
    List<RungPromise.Tested> tested = new ArrayList<>();
    Map<Device, String> unable = new LinkedHashMap<>();
    boolean all = true;
    for (Map.Entry<Device, EncoderKind> each : kinds.entrySet()) {
      Optional<String> why =
          rules.unable().reason(each.getKey(), rung.name(), codec(plan), plan.video().depth());
      if (why.isPresent()) {
        unable.put(each.getKey(), why.get());
        all = false;
        continue;
      }
      try {
        CodecConfig.Picture config = config(rung, each.getKey(), supervisor);
        tested.add(new RungPromise.Tested(each.getKey(), each.getValue(), config));
      } catch (FailedException refused) {
        unable.put(each.getKey(), String.valueOf(refused.getMessage()));
      }
    }
    if (tested.isEmpty() && all && isTheSourcesFault(rung, supervisor)) {
      throw new TranscodeException.Unreadable(
          "%s: no encoder takes video of %s frames a second in ticks of %s s, as it claims: %s"
              .formatted(
                  plan.request().input(),
                  text(plan.source().video().frameRate()),
                  text(plan.source().video().timeBase()),
                  unable.values()));
    }
    if (tested.isEmpty()) {
      throw new TranscodeException.NoCapableDevice(
          "No device can encode rung %s: %s".formatted(rung.name(), unable));
    }
    boolean strict = plan.request().encoding().mix() == EncodingChoice.Mix.STRICT;
    RungPromise chosen = RungPromise.choose(tested, before, strict);
    Map<Device, String> struck = new LinkedHashMap<>(chosen.struck());
    struck.putAll(unable);
    return new RungPromise(chosen.config(), chosen.whole(), struck);
  }

  /** What a device promises; over the host if it does not keep frames as it was proven to. */
  private CodecConfig.Picture config(Rung rung, Device device, Supervisor supervisor)
      throws InterruptedException {
    try {
      return test(device, settings(rung, device), supervisor);
    } catch (FailedException refused) {
      if (!rules.frames().giveUp(device, String.valueOf(refused.getMessage()))) {
        throw refused;
      }
      return config(rung, device, supervisor);
    }
  }

  /** Tests an encoder; one that has no session left at present is asked again for a while. */
  private CodecConfig.Picture test(Device device, VideoSettings settings, Supervisor supervisor)
      throws InterruptedException {
    return SESSIONS.ask(() ->
        rules
            .trials()
            .of(
                rules.pool(),
                device,
                rules.codecs(),
                settings,
                () -> testNow(settings, supervisor)));
  }

  private CodecConfig.Picture testNow(VideoSettings settings, Supervisor supervisor)
      throws InterruptedException {
    ScalingTarget target = settings.target();
    VideoSettings plain =
        settings.with(new ScalingTarget(target.width(), target.height(), target.depth(), false));
    try {
      Report.Tested tested =
          (Report.Tested)
              supervisor.persist(number -> new Command.TestEncode(number, plain), TO_TEST);
      return sized(config(settings.kind().codec(), tested), settings);
    } catch (UnreadableHeaderException strange) {
      throw new FailedException(
          new Failure(
              Failure.Kind.DEVICE,
              "%s writes a header that cannot be read: %s"
                  .formatted(settings.kind(), strange.getMessage())));
    } catch (TimeoutException hung) {
      String reason =
          "A test of %s gave no sign of progress for %d s"
              .formatted(settings.kind(), TO_TEST.toSeconds());
      supervisor.replace(reason);
      throw new FailedException(new Failure(Failure.Kind.DEVICE, reason));
    }
  }

  /** Some hardware codes more rows than it is given, and its format has no way to say so. */
  static CodecConfig.Picture sized(CodecConfig.Picture config, VideoSettings settings) {
    VideoSequence coded = config.sequence();
    ScalingTarget target = settings.target();
    if (coded.width() != target.width() || coded.height() != target.height()) {
      throw new FailedException(
          new Failure(
              Failure.Kind.DEVICE,
              "%s codes %d×%d where %d×%d is asked for"
                  .formatted(
                      settings.kind(),
                      coded.width(),
                      coded.height(),
                      target.width(),
                      target.height())));
    }
    return config;
  }

  /** Whether a device encodes the same pictures if they come at a usual rate. */
  private boolean isTheSourcesFault(Rung rung, Supervisor supervisor) throws InterruptedException {
    for (Device device : kinds.keySet()) {
      VideoSettings usual =
          settings(rung, device).withRate(new Rational(1, USUAL_RATE), new Rational(USUAL_RATE, 1));
      try {
        test(device, usual, supervisor);
        return true;
      } catch (FailedException unable) {
        // It cannot in any case.
      }
    }
    return false;
  }

  private static String text(Rational value) {
    return value.den() == 1
        ? String.valueOf(value.num())
        : "%d/%d".formatted(value.num(), value.den());
  }

  public CodecConfig.Picture config(byte[] header, byte[] first) {
    return (CodecConfig.Picture) CodecConfig.of(codec(plan), header, first);
  }

  private static CodecConfig.Picture config(String codec, Report.Tested tested) {
    return (CodecConfig.Picture) CodecConfig.of(codec, tested.header(), tested.first());
  }

  /** What a rung promises, as it is written down for a later run. */
  public JournalEntry.Promise journalled(int rung) {
    RungPromise its = promise(rung);
    return JournalEntry.Promise.of(
        plan.rungs().get(rung).name(), its.whole().body(), its.config().body());
  }

  private RungPromise promised(JournalEntry.Promise before) {
    return RungPromise.of(config(before.configBytes(), new byte[0]), before.initBytes());
  }

  /** Devices that cannot keep a rung's promise do not work on it, those without memory on none. */
  public void strikeOff(Party service, DevicePool pool, Admission admission) {
    for (int rung = 0; rung < promises.size(); rung++) {
      int group = rung;
      promise(rung)
          .struck()
          .forEach((device, reason) -> service.strikeOff(group, device.id(), reason));
      if (admission.isScarce()) {
        pool.devices().stream()
            .filter(device -> !kinds.containsKey(device))
            .forEach(device -> service.strikeOff(group, device.id(), admission.reason()));
      }
    }
  }

  /** Whether a device encodes, from pictures in its own memory. */
  public boolean keepsFrames(Device device) {
    return kinds.containsKey(device) && rules.frames().stayOn(device, plan.video());
  }

  public List<Device> devices() {
    return List.copyOf(kinds.keySet());
  }

  public RungPromise promise(int rung) {
    return promises.get(rung);
  }

  public VideoSettings settings(Rung rung, Device device) {
    return settings(rung, device, Objects.requireNonNull(kinds.get(device)));
  }

  private VideoSettings settings(Rung rung, Device device, EncoderKind kind) {
    return new VideoSettings(
        kind,
        address(device),
        new ScalingTarget(
            rung.width(), rung.height(), plan.video().depth(), plan.video().tonemap()),
        plan.source().video().timeBase(),
        plan.frameRate(),
        plan.video().preset(),
        rung.crf(),
        rung.maxrateBits().orElse(0),
        plan.video().colour(),
        rules.frames().stayOn(device, plan.video()));
  }

  private static String address(Device device) {
    return DeviceAddress.of(device).map(HardwareAddress::device).orElse("");
  }

  private static String codec(TranscodePlan plan) {
    return name(plan.video().codec());
  }

  private static String name(VideoCodec codec) {
    return codec.name().toLowerCase(Locale.ROOT);
  }
}
