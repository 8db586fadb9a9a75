package dev.fairlead.media.job;

import dev.fairlead.device.Card;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Profile;
import dev.fairlead.device.Vendor;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.choice.DecodeChoice;
import dev.fairlead.media.choice.FramesChoice;
import dev.fairlead.media.choice.NvidiaDriver;
import dev.fairlead.media.gpu.TestingNvidia;
import dev.fairlead.media.gpu.TestingVaapi;
import dev.fairlead.media.local.LocalTranscodes;
import dev.fairlead.media.plan.Pumps;
import dev.fairlead.media.plan.VideoCodec;
import dev.fairlead.media.supervise.Codecs;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A process of its own that transcodes on cards, or on doubles of them. */
public final class TestingCardsJob {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String CHAOS = "testing.chaos";
  private static final String FRAMES = "testing.frames";
  private static final String PROVEN = "testing.proven";
  private static final String DECODER = "testing.decoder";

  /** Every card that may decode does. */
  static final String EVERY = "every";

  private TestingCardsJob() {}

  /**
   * Cards of CUDA by their numbers, others by their render nodes; the pool keeps nothing of them.
   */
  private record Cards(int number, List<String> nodes) implements DeviceProvider {
    @Override
    public String scheme() {
      return "cards";
    }

    @Override
    public Discovery discover(List<String> terms) {
      return Discovery.of(
          this,
          Stream.concat(
                  IntStream.range(0, number).mapToObj(Cards::nvidia),
                  IntStream.range(0, nodes.size()).mapToObj(each -> intel(each, nodes.get(each))))
              .toList());
    }

    private static Device nvidia(int ordinal) {
      String id = "GPU-" + ordinal;
      return Device.of(DeviceKind.CUDA, ordinal).withIdentity(DeviceId.of(id), id, Vendor.NVIDIA);
    }

    private static Device intel(int ordinal, String node) {
      String address = "0000:%02x:00.0".formatted(ordinal + 3);
      return Device.of(DeviceKind.ENCODER, ordinal)
          .withIdentity(DeviceId.of("pci-" + address), "Intel", Vendor.INTEL)
          .withCard(new Card(address, node));
    }

    @Override
    public DeviceContext open(Device device) {
      return DeviceContext.none();
    }
  }

  /**
   * Takes a source, an output, how many cards of NVIDIA there are, a codec, how many lanes work
   * beside the cards, and the render nodes of other cards; two lanes are in reserve. Prints what
   * was noticed, which units began and ended where, and how often workers died.
   */
  public static void main(String[] arguments) throws Exception {
    List<String> nodes = List.of(arguments).subList(5, arguments.length);
    Cards cards = new Cards(Integer.parseInt(arguments[2]), nodes);
    List<Discovery.Found> found = new ArrayList<>(cards.discover(List.of()).found());
    if (!arguments[4].equals("0")) {
      found.addAll(Discovery.find("cpu:" + arguments[4]).found());
    }
    try (DevicePool pool = DevicePool.open(new Discovery(found, List.of()))) {
      JobOptions options =
          new JobOptions(pool, ServicePolicies.anyRung(), chaos(), PATIENCE)
              .withDecoders(DecodeChoice.of(pool.devices(), decoder()))
              .withPumps(Pumps.usual().orMost(2)) // on however small a machine
              .withFrames(FramesChoice.named(System.getProperty(FRAMES)))
              .withProven(Boolean.getBoolean(PROVEN) ? proven(pool.devices()) : Map.of())
              .withReserve(() -> Discovery.find("cpu:2").found());
      TranscodeResult result =
          new LocalTranscodes(options)
              .submit(
                  TestingJobs.request(Path.of(arguments[0]), Path.of(arguments[1]))
                      .withCodec(VideoCodec.valueOf(arguments[3])),
                  TestingCardsJob::print)
              .await();
      System.out.println("restarts " + result.workerRestarts());
    }
  }

  /** A profile by which frames may stay on every card, and every card decodes. */
  private static Map<DeviceId, Profile.Proven> proven(List<Device> devices) {
    return devices.stream()
        .collect(
            Collectors.toMap(
                Device::id,
                device ->
                    new Profile.Proven(
                        new Profile.Key(device.id().value(), "driver", "codecs"),
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        true,
                        List.of(),
                        Optional.empty(),
                        List.of("h264"))));
  }

  private static @Nullable String decoder() {
    String named = System.getProperty(DECODER);
    return named.equals(EVERY) ? null : named;
  }

  private static ChaosPlan chaos() {
    String plan = System.getProperty(CHAOS);
    return plan.isEmpty() ? ChaosPlan.none() : ChaosPlan.parse(plan);
  }

  private static void print(TranscodeListener.Event event) {
    switch (event) {
      case TranscodeListener.Event.Noticed noticed -> System.out.println(noticed.what());
      case TranscodeListener.Event.Started started ->
          System.out.println("began " + started.unit() + " on " + started.device());
      case TranscodeListener.Event.Committed done ->
          System.out.println("ended " + done.unit() + " on " + done.device());
      default -> {}
    }
  }

  /** What there is to work on: cards of NVIDIA, lanes, and other cards by their render nodes. */
  record Machine(TestingNvidia host, int cards, int lanes, List<Path> nodes) {
    Machine {
      nodes = List.copyOf(nodes);
    }

    Map<String, String> environment() {
      return nodes.isEmpty() ? host.environment() : TestingVaapi.environment(host);
    }
  }

  /**
   * What there is to do.
   *
   * @param chaos faults that are made on purpose, as users write them; empty for none
   * @param frames where pictures are scaled
   * @param proven whether a profile says that frames may stay on cards
   * @param decoder what decodes: {@code cpu}, a card or {@link #EVERY}
   */
  record Work(
      Path source,
      Path output,
      VideoCodec codec,
      String chaos,
      FramesChoice frames,
      boolean proven,
      String decoder) {
    Work(Path source, Path output, VideoCodec codec, String chaos) {
      this(source, output, codec, chaos, FramesChoice.AUTO, false, "cpu");
    }
  }

  static Process start(Machine machine, Work work) throws IOException {
    TestingNvidia host = machine.host();
    Path output = work.output();
    Path driver = host.directory().resolve("sys/module/nvidia/version");
    Files.createDirectories(driver.getParent());
    Files.writeString(driver, host.driver() + "\n");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-D" + NvidiaDriver.ROOT + "=" + host.directory(),
                "-D" + Codecs.OLDER + "=" + Path.of("target/older-ffmpeg").toAbsolutePath(),
                "-D" + CHAOS + "=" + work.chaos(),
                "-D" + FRAMES + "=" + work.frames(),
                "-D" + PROVEN + "=" + work.proven(),
                "-D" + DECODER + "=" + work.decoder(),
                "-cp",
                System.getProperty("java.class.path"),
                TestingCardsJob.class.getName(),
                work.source().toString(),
                output.toString(),
                String.valueOf(machine.cards()),
                work.codec().name(),
                String.valueOf(machine.lanes())));
    machine.nodes().forEach(node -> command.add(node.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.resolveSibling(output.getFileName() + ".log").toFile());
    builder.environment().putAll(machine.environment());
    return builder.start();
  }

  /** A checksum of every picture of a file, in their order. */
  static List<String> pictures(Path file) {
    return TestingFfmpeg.ffmpeg(
            "-v",
            "error",
            "-i",
            file.toString(),
            "-map",
            "0:v:0",
            "-pix_fmt",
            "yuv420p",
            "-fps_mode",
            "passthrough",
            "-f",
            "framemd5",
            "-")
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.substring(line.lastIndexOf(',') + 1).strip())
        .toList();
  }
}
