package dev.fairlead.media.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.gpu.TestingNvidia.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bytedeco.ffmpeg.ffmpeg;
import org.bytedeco.javacpp.Loader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** FFmpeg's own code for NVIDIA's cards, on doubles of their driver. */
class NvidiaDoubleTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final String SOURCE = "-f lavfi -i testsrc2=s=320x180:r=30";
  private static final String TWO_SECONDS = SOURCE + ":d=2 ";
  private static final int FRAMES = 60;

  @TempDir private Path directory;
  private TestingNvidia nvidia = TestingNvidia.in(Path.of("/nowhere"));
  private final List<Process> started = new ArrayList<>();

  private record Ended(int code, String said) {}

  @BeforeEach
  void emptyBooks() throws IOException {
    nvidia = TestingNvidia.in(Files.createDirectory(directory.resolve("host")));
  }

  @AfterEach
  void endProcesses() {
    started.forEach(Process::destroyForcibly);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-pix_fmt nv12 -c:v h264_nvenc",
        "-pix_fmt yuv420p -c:v h264_nvenc -profile:v high -g 7",
        "-pix_fmt nv12 -c:v h264_nvenc -bf 3 -g 30 -aud 1",
        "-vf format=nv12,hwupload -c:v h264_nvenc",
      })
  void picturesComeOutAsTheyWerePutIn(String arguments) throws Exception {
    String device =
        arguments.contains("hwupload") ? "-init_hw_device cuda=c:1 -filter_hw_device c " : "";
    String expected = hashes(TWO_SECONDS);

    for (String file : List.of("out.mp4", "out.h264")) {
      succeeds(nvidia, device + TWO_SECONDS + arguments + " " + path(file));
      assertThat(hashes("-i " + path(file))).isEqualTo(expected);
      assertThat(hashes("-c:v libopenh264 -i " + path(file))).isEqualTo(expected);
    }

    assertThat(expected.lines()).hasSize(FRAMES);
    assertThat(nvidia.books("session-closed"))
        .extracting(entry -> entry.value("pictures"))
        .containsExactly("60", "60");
    nvidia.requireCleanBooks();
  }

  @ParameterizedTest
  @CsvSource({"334,198", "160,96", "1920,1080"})
  void sizesThatAreNoMultipleOfMacroblocksAreCut(int width, int height) throws Exception {
    // Samples of zero to three are those that need bytes put between them.
    String source =
        "-f lavfi -i nullsrc=s=%dx%d:r=10:d=0.3,format=yuv420p,geq=lum=mod(X*Y+N\\,4):cb=mod(X\\,3):cr=mod(Y\\,2) "
            .formatted(width, height);
    succeeds(nvidia, source + "-pix_fmt nv12 -c:v h264_nvenc " + path("out.mp4"));
    assertThat(hashes("-i " + path("out.mp4"))).isEqualTo(hashes(source));
  }

  @ParameterizedTest
  @CsvSource({"yuv420p,nv12", "nv12,nv12", "yuv420p10le,p010le", "p010le,p010le"})
  void scaledPicturesAreThoseOfTheProcessor(String from, String to) throws Exception {
    String scaled =
        "[0:v]format=%s,split[a][b];[a]scale=320:180:flags=bicubic,format=%s[x];[b]hwupload,scale_cuda=w=320:h=180:format=%s:interp_algo=bilinear:passthrough=0,hwdownload,format=%s[y];[y][x]psnr=stats_file=%s"
            .formatted(from, to, to, to, path("likeness"));
    succeeds(
        nvidia,
        "-init_hw_device cuda=c:1 -filter_hw_device c -f lavfi -i testsrc2=s=640x360:r=10:d=0.3 "
            + "-filter_complex %s -f null -".formatted(scaled));

    assertThat(Files.readAllLines(directory.resolve("likeness")))
        .hasSize(3)
        .allSatisfy(line ->
            assertThat(Double.parseDouble(line.replaceFirst(".*psnr_avg:(\\S+) .*", "$1")))
                .isGreaterThan(40));
    assertThat(nvidia.books("scaled")).extracting(entry -> entry.value("to")).contains("320x180");
    assertThat(nvidia.books("plane-copied"))
        .extracting(entry -> entry.value("direction"))
        .contains("up", "down");
    nvidia.requireCleanBooks();
  }

  @Test
  void picturesAreDecodedAsInSoftwareUnlessTheDoubleLies() throws Exception {
    String clip = path("clip.mp4");
    succeeds(nvidia, TWO_SECONDS + "-c:v libopenh264 -b:v 600k -g 25 " + clip);
    List<String> soft = hashes("-i " + clip).lines().toList();

    List<String> hard = decodedOnCard(nvidia, clip);
    List<String> wrong = decodedOnCard(nvidia.lies("0=decoding"), clip);

    assertThat(hard).hasSize(FRAMES).isEqualTo(soft);
    assertThat(wrong.subList(0, 20)).isEqualTo(soft.subList(0, 20));
    assertThat(wrong.subList(20, FRAMES)).doesNotContainAnyElementsOf(soft);
    assertThat(nvidia.books("decoder-closed"))
        .extracting(entry -> entry.value("pictures"))
        .containsExactly("60", "60");
    nvidia.requireCleanBooks();
  }

  private List<String> decodedOnCard(TestingNvidia host, String clip) throws Exception {
    succeeds(
        host,
        "-hwaccel cuda -hwaccel_output_format cuda -i %s -vf hwdownload,format=nv12 -fps_mode passthrough -f framehash -hash md5 %s"
            .formatted(clip, path("hashes")));
    return Files.readAllLines(directory.resolve("hashes")).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.substring(line.lastIndexOf(',') + 1).strip())
        .toList();
  }

  @Test
  void stillPicturesRepeatTheKeyBeforeThem() throws Exception {
    String encode = TWO_SECONDS + "-pix_fmt nv12 -c:v h264_nvenc -g 20 ";
    succeeds(nvidia.still(), encode + path("out.mp4"));

    List<String> keys = hashes(TWO_SECONDS).lines().toList();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < FRAMES; i++) {
      expected.add(keys.get(i / 20 * 20));
    }
    assertThat(hashes("-i " + path("out.mp4")).lines()).isEqualTo(expected);
    assertThat(hashes("-c:v libopenh264 -i " + path("out.mp4")).lines()).isEqualTo(expected);
  }

  @Test
  void keysAreWhereTheyWereAskedFor() throws Exception {
    succeeds(
        nvidia,
        TWO_SECONDS
            + "-pix_fmt nv12 -c:v h264_nvenc -g 40 -forced-idr 1 -force_key_frames 0.5 "
            + path("out.mp4"));
    String packets = "-show_entries packet=flags -of csv=p=0 " + path("out.mp4");
    List<String> flags = TestingFfmpeg.ffprobe(packets.split(" ")).lines().toList();
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < flags.size(); i++) {
      if (flags.get(i).startsWith("K")) {
        keys.add(i);
      }
    }
    assertThat(keys).containsExactly(0, 15, 55);
    assertThat(nvidia.books("idr"))
        .extracting(entry -> entry.value("picture"), entry -> entry.value("forced"))
        .containsExactly(tuple("0", "0"), tuple("15", "1"), tuple("55", "0"));
  }

  @Test
  void theBooksNameTheCardAndWhatItWasGiven() throws Exception {
    succeeds(
        nvidia,
        TWO_SECONDS
            + "-pix_fmt nv12 -c:v h264_nvenc -gpu 2 -preset p6 -rc vbr -cq 23.5 -b:v 0 -maxrate 3M"
            + " -g 48 -bf 2 -rc-lookahead 8 -multipass fullres -f null -");
    assertThat(nvidia.books().stream().map(Entry::card)).containsOnly(2);
    assertThat(nvidia.books("session-initialized").getFirst().values())
        .containsEntry("codec", "h264")
        .containsEntry("width", "320")
        .containsEntry("height", "180")
        .containsEntry("rate", "30/1")
        .containsEntry("preset", "p6")
        .containsEntry("rc", "vbr")
        .containsEntry("cq", "23.50")
        .containsEntry("bitrate", "0")
        .containsEntry("maxrate", "3000000")
        .containsEntry("gop", "48")
        .containsEntry("idr", "48")
        .containsEntry("b", "2")
        .containsEntry("lookahead", "8")
        .containsEntry("multipass", "2")
        .containsEntry("depth", "8");
    assertThat(nvidia.books("session-pictures").getFirst().value("format")).isEqualTo("nv12");
    nvidia.requireCleanBooks();
  }

  @Test
  void aCardThatIsNotThereIsNotFound() throws Exception {
    Ended ended = run(nvidia.cards(2), TWO_SECONDS + "-c:v h264_nvenc -gpu 2 -f null -");
    assertThat(ended.code()).isNotZero();
    assertThat(ended.said()).contains("No capable devices found");
    assertThat(nvidia.books()).isEmpty();
  }

  @Test
  void cardsThatAreShownAreCountedInTheirOrder() throws Exception {
    TestingNvidia shown = nvidia.visible("3,1");
    succeeds(shown, TWO_SECONDS + "-c:v h264_nvenc -gpu 0 -f null -");
    succeeds(shown, TWO_SECONDS + "-c:v h264_nvenc -gpu 1 -f null -");
    assertThat(shown.books("session-opened")).extracting(Entry::card).containsExactly(3, 1);
  }

  @ParameterizedTest
  @CsvSource({"10,out of memory (10)", "21,incompatible client key (21)"})
  void oneSessionTooManyIsRefused(int code, String message) throws Exception {
    TestingNvidia limited = nvidia.sessions(2, code);
    String encoder = " -map 0 -c:v h264_nvenc -gpu 1 -f null - ";
    succeeds(limited, TWO_SECONDS + encoder.repeat(2));
    limited.requireCleanBooks();

    Ended ended = run(limited, TWO_SECONDS + encoder.repeat(3));
    assertThat(ended.code()).isNotZero();
    assertThat(ended.said()).contains("OpenEncodeSessionEx failed: " + message);
    assertThat(limited.books("session-refused")).extracting(Entry::card).containsExactly(1);
    limited.requireCleanBooks();
  }

  @Test
  void aDeviceThatIsHandedInIsRetainedOnce() throws Exception {
    succeeds(
        nvidia,
        "-init_hw_device cuda=c:1,primary_ctx=1 "
            + TWO_SECONDS
            + " -pix_fmt nv12 -c:v h264_nvenc -f null -".repeat(2));
    assertThat(nvidia.books("primary-retained")).extracting(Entry::card).containsExactly(1);
    assertThat(nvidia.books("context-created")).isEmpty();
    assertThat(nvidia.books("session-opened")).extracting(Entry::card).containsExactly(1, 1);
    nvidia.requireCleanBooks();
  }

  @Test
  void aProcessThatIsKilledLeavesItsSessionToOthers() throws Exception {
    TestingNvidia limited = nvidia.sessions(1, 10).speed("*=20");
    Process endless = start(limited, SOURCE + " -c:v h264_nvenc -f null -");
    limited.await("idr", entry -> entry.pid() == endless.pid());
    assertThat(run(limited, TWO_SECONDS + "-c:v h264_nvenc -f null -").said())
        .contains("out of memory (10)");

    endless.destroyForcibly();
    assertThat(endless.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    succeeds(limited, TWO_SECONDS + "-c:v h264_nvenc -f null -");
  }

  @Test
  void aCardThatFailsStaysLostAndOthersGoOn() throws Exception {
    TestingNvidia failing = nvidia.faults("1=10:fail:20");
    Ended ended = run(failing, TWO_SECONDS + "-c:v h264_nvenc -gpu 1 -f null -");
    assertThat(ended.code()).isNotZero();
    assertThat(ended.said()).contains("EncodePicture failed!: generic error (20)");
    assertThat(failing.books("session-closed").getFirst().value("pictures")).isEqualTo("9");
    failing.requireCleanBooks();
    succeeds(failing, TWO_SECONDS + "-c:v h264_nvenc -gpu 0 -f null -");
  }

  @Test
  void aCardCrashesItsProcessOnce() throws Exception {
    TestingNvidia crashing = nvidia.faults("*=3:crash:once");
    String encode = TWO_SECONDS + "-c:v h264_nvenc -gpu 3 -f null -";
    int segmentationFault = 128 + 11;
    assertThat(run(crashing, encode).code()).isEqualTo(segmentationFault);
    succeeds(crashing, encode);
    assertThat(crashing.books("fault")).hasSize(1);
  }

  @Test
  void aCardHangs() throws Exception {
    TestingNvidia hanging = nvidia.faults("0=5:hang");
    Process process = start(hanging, TWO_SECONDS + "-c:v h264_nvenc -gpu 0 -f null -");
    hanging.await("fault", entry -> entry.pid() == process.pid());
    assertThat(process.isAlive()).isTrue();
    assertThat(hanging.books("session-closed")).isEmpty();
  }

  @Test
  void aCardTakesItsTime() throws Exception {
    Duration pictures = Duration.ofMillis(FRAMES * 20);
    long began = System.nanoTime();
    succeeds(nvidia.speed("*=0,1=20"), TWO_SECONDS + "-c:v h264_nvenc -gpu 1 -f null -");
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(pictures);
  }

  @Test
  void aCodecThatCardsLackIsNotFound() throws Exception {
    String encode = TWO_SECONDS + "-c:v %s -gpu %d -f null -";
    assertThat(run(nvidia, encode.formatted("av1_nvenc", 0)).said())
        .contains("No capable devices found");
    assertThat(run(nvidia.codecs("0=none"), encode.formatted("h264_nvenc", 0)).said())
        .contains("No capable devices found");
    assertThat(run(nvidia.codecs("1=h264+av1"), encode.formatted("av1_nvenc", 1)).said())
        .contains("unimplemented (22): The double encodes H.264 only");
    nvidia.requireCleanBooks();
  }

  @Test
  void aDriverThatIsTooOldIsNamed() throws Exception {
    assertThat(run(nvidia.api("13.0"), TWO_SECONDS + "-c:v h264_nvenc -f null -").said())
        .contains("Required: 13.1 Found: 13.0", "driver for nvenc is 610.00 or newer");
  }

  private String path(String file) {
    return directory.resolve(file).toString();
  }

  private static String hashes(String source) {
    String arguments = source + " -pix_fmt nv12 -fps_mode passthrough -f framehash -hash md5 -";
    return TestingFfmpeg.ffmpeg(arguments.strip().split(" +"))
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.substring(line.lastIndexOf(',') + 1).strip() + "\n")
        .reduce("", String::concat);
  }

  private void succeeds(TestingNvidia host, String arguments) throws Exception {
    Ended ended = run(host, arguments);
    assertThat(ended.code()).as(ended.said()).isZero();
    assertThat(ended.said()).isEmpty();
  }

  private Ended run(TestingNvidia host, String arguments) throws Exception {
    Process process = start(host, arguments);
    assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).as(arguments).isTrue();
    return new Ended(process.exitValue(), Files.readString(said(started.size())));
  }

  private Process start(TestingNvidia host, String arguments) throws IOException {
    String program = Loader.load(ffmpeg.class);
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of("-nostdin", "-hide_banner", "-v", "error", "-y"));
    command.addAll(List.of(arguments.strip().split(" +")));
    ProcessBuilder builder = new ProcessBuilder(command);
    Path libraries = Path.of(program).getParent();
    builder.environment().putAll(host.environment(libraries));
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(said(started.size() + 1).toFile());
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private Path said(int process) {
    return directory.resolve("said" + process);
  }
}
