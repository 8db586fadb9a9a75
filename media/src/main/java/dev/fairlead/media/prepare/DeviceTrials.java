package dev.fairlead.media.prepare;

import dev.fairlead.device.Device;
import dev.fairlead.media.choice.CodecChoice;
import dev.fairlead.media.choice.DeviceAddress;
import dev.fairlead.media.choice.EncoderChoice;
import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.plan.VideoCodec;
import dev.fairlead.media.settings.EncoderKind;
import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.settings.ScalingTarget;
import dev.fairlead.media.settings.VideoSettings;
import dev.fairlead.media.source.Colour;
import dev.fairlead.media.source.Rational;
import dev.fairlead.media.supervise.Confinement;
import dev.fairlead.media.supervise.FailedException;
import dev.fairlead.media.supervise.WorkerProcess;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.media.wire.Report;
import dev.fairlead.media.wire.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;

/**
 * Devices put to the proof, one thing at a time, in a worker process as a job has one. Each answer
 * is what was seen; what a device refuses, or dies of, is a {@link FailedException}, after which
 * another object of this class is opened.
 */
public final class DeviceTrials implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Rational RATE = new Rational(25, 1);
  private static final Rational TICKS = new Rational(1, 25);

  /** An encoder, and the size and depth of its pictures. */
  public record Order(EncoderKind kind, int width, int height, int depth) {}

  private final WorkerProcess worker;
  private final Path directory;

  private DeviceTrials(WorkerProcess worker, Path directory) {
    this.worker = worker;
    this.directory = directory;
  }

  /**
   * Starts a worker that reaches these devices.
   *
   * @param files that it may read
   */
  public static DeviceTrials open(List<Device> devices, Collection<Path> files) throws IOException {
    Path directory = Files.createTempDirectory("fairlead-trials");
    List<Path> written = new ArrayList<>(List.of(directory));
    written.addAll(DeviceAddress.written(devices));
    Confinement confinement =
        Confinement.to(files, written).withDevices(DeviceAddress.nodes(devices));
    return new DeviceTrials(
        WorkerProcess.start(
            CodecChoice.of(devices).codecs(),
            directory.resolve("worker.log"),
            confinement,
            report -> {}),
        directory);
  }

  /** The encoders that a device may have; whether it really has them is what a trial shows. */
  public static List<EncoderKind> encoders(Device device) {
    return Arrays.stream(EncoderKind.values())
        .filter(kind -> EncoderChoice.serves(kind, device))
        .toList();
  }

  /** Where FFmpeg finds a GPU; empty for what is none. */
  public static Optional<HardwareAddress> address(Device device) {
    return DeviceAddress.of(device);
  }

  /** Encodes so many pictures on a device, and compares what they become. */
  public TrialResult.Encoding encode(Device device, Order order, int pictures)
      throws InterruptedException {
    return encode(settings(device, order), pictures);
  }

  /** The same with pictures that are in the card's own memory. */
  public TrialResult.Encoding encodeFromDevice(Device device, Order order, int pictures)
      throws InterruptedException {
    return encode(settings(device, order).withDeviceFrames(true), pictures);
  }

  private TrialResult.Encoding encode(VideoSettings settings, int pictures)
      throws InterruptedException {
    return ((Report.TriedEncoder) ask(number -> new Command.TryEncoder(number, settings, pictures)))
        .seen();
  }

  /**
   * Scales so many pictures to what is ordered, on a card and on the processor, and compares them.
   *
   * @param width of the pictures before, as is {@code height}
   */
  public TrialResult.Frames frames(Device device, Order order, int width, int height, int pictures)
      throws InterruptedException {
    VideoSettings settings = settings(device, order);
    return ((Report.TriedFrames)
            ask(number -> new Command.TryFrames(number, settings, width, height, pictures)))
        .seen();
  }

  /** Opens one encoder for each device that is named, in their order, until one is refused. */
  public TrialResult.Sessions sessions(List<Device> devices, Order order, int pictures)
      throws InterruptedException {
    List<VideoSettings> each = devices.stream().map(device -> settings(device, order)).toList();
    return ((Report.TriedSessions) ask(number -> new Command.TrySessions(number, each, pictures)))
        .seen();
  }

  /** Decodes so many pictures of a file from a second on; on the processor if there is no GPU. */
  public TrialResult.Decoding decode(Path file, Optional<Device> gpu, double from, int pictures)
      throws InterruptedException {
    Optional<HardwareAddress> on = gpu.flatMap(DeviceAddress::of);
    return ((Report.TriedDecoder)
            ask(number -> new Command.TryDecoder(number, file, on, from, pictures)))
        .seen();
  }

  /** Has each device make a chunk, and decodes them one after another. */
  public TrialResult.Join join(List<Device> devices, List<Order> orders)
      throws InterruptedException {
    VideoSettings[] each = new VideoSettings[devices.size()];
    for (int i = 0; i < each.length; i++) {
      each[i] = settings(devices.get(i), orders.get(i));
    }
    return ((Report.TriedJoin) ask(number -> new Command.TryJoin(number, List.of(each)))).seen();
  }

  /** What an init segment would promise of a stream with this header; for people to read. */
  public static CodecConfig.Picture promise(EncoderKind kind, byte[] header, byte[] first) {
    return (CodecConfig.Picture) CodecConfig.of(kind.codec(), header, first);
  }

  private Report.Answer ask(LongFunction<Command> command) throws InterruptedException {
    try {
      return worker.ask(command, PATIENCE);
    } catch (TimeoutException hung) {
      worker.kill();
      throw new FailedException(
          new Failure(
              Failure.Kind.DEVICE, "no sign of progress for %d s".formatted(PATIENCE.toSeconds())));
    }
  }

  private static VideoSettings settings(Device device, Order order) {
    VideoCodec codec = VideoCodec.valueOf(order.kind().codec().toUpperCase(Locale.ROOT));
    return new VideoSettings(
        order.kind(),
        DeviceAddress.of(device).map(HardwareAddress::device).orElse(""),
        new ScalingTarget(order.width(), order.height(), order.depth(), false),
        TICKS,
        RATE,
        codec.usualPreset(),
        codec.usualCrf(Math.min(order.width(), order.height())),
        0,
        Colour.bt709());
  }

  /** How often a trial has shown that it goes on: pictures went in, of which few are reported. */
  public long signs() {
    return worker.signs();
  }

  /** Ends the worker at once, whatever it is doing. */
  public void kill() {
    worker.kill();
  }

  @Override
  public void close() {
    worker.close();
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException leftBehind) {
      // Temporary files of this user.
    }
  }
}
