package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.TestingClips;
import dev.fairlead.media.local.LocalTranscodes;
import dev.fairlead.media.plan.HostMemory;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.OutputFormat;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the source is, a job uses no more memory than it may, or is refused. */
@Timeout(240)
class MemoryTest {
  private static final long MIB = 1 << 20;
  private static final long AMPLE = HostMemory.here().bytes();

  @TempDir private Path directory;

  private final List<TranscodeListener.Event> events =
      Collections.synchronizedList(new ArrayList<>());

  private TranscodeRequest request(Path source) {
    return TranscodeRequest.of(source, directory.resolve("out"))
        .withFormat(OutputFormat.MP4)
        .withLadder(LadderSpec.parse("160x90"))
        .withPreset(13);
  }

  /** Runs a job on two lanes; the figure is what its processes had at most. */
  private long peak(TranscodeRequest request, long usual) throws Exception {
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:2"));
        TestingMemory memory = TestingMemory.watching()) {
      JobOptions options =
          new JobOptions(pool, ServicePolicies.anyRung(), ChaosPlan.none(), Duration.ofSeconds(60))
              .withMemoryBytes(usual);
      try {
        new LocalTranscodes(options).submit(request, events::add).await();
      } finally {
        assertThat(memory.peak()).isLessThanOrEqualTo(request.memoryBytes().orElse(usual));
      }
      return memory.peak();
    }
  }

  private TranscodeException.TooLarge refusal(TranscodeRequest request, long usual) {
    TranscodeException.TooLarge refused =
        catchThrowableOfType(TranscodeException.TooLarge.class, () -> peak(request, usual));
    assertThat(refused).as("it was not refused").isNotNull();
    assertThat(events).as("nothing was begun").isEmpty();
    return refused;
  }

  private static Path black(String name, int frames) {
    return TestingClips.clip(
        name, "-f lavfi -i color=black:s=7680x4320:r=4 -frames:v " + frames + " -c:v mjpeg");
  }

  @Test
  void aFewKilobytesOfLargeBlackPicturesAreRefusedWithTheFigure() {
    Path source = black("black-8k.mov", 3);
    TranscodeRequest large = request(source).withLadder(LadderSpec.auto());
    TranscodeException.TooLarge unasked = refusal(large, 1_200 * MIB);
    assertThat(unasked.isBoundByRequest()).isFalse();
    assertThat(unasked)
        .hasMessageContaining("GiB of memory, 1.2 GiB may be used; allow more memory");
    TranscodeException.TooLarge asked = refusal(large.withMemoryBytes(1_200 * MIB), AMPLE);
    assertThat(asked.isBoundByRequest()).isTrue();
    assertThat(asked).hasMessageContaining("1.2 GiB may be used; allow more memory");
  }

  @Test
  void largePicturesForASmallRungStayWithinTheBound() throws Exception {
    peak(request(black("black-8k.mov", 3)).withMemoryBytes(1_300 * MIB), AMPLE);
    assertThat(TestingJobs.times(directory.resolve("out/90p.mp4"))).hasSize(3);
  }

  @Test
  void picturesInFullResolutionOfColourAreCountedAsSuch() throws Exception {
    Path source =
        TestingClips.clip(
            "wide.mov",
            "-f lavfi -i testsrc2=s=1280x720:r=25 -t 3 -pix_fmt yuvj444p -c:v mjpeg -q:v 8");
    TranscodeRequest request = request(source).withLadder(LadderSpec.parse("1280x720,320x180"));
    TranscodeException.TooLarge refused = refusal(request.withMemoryBytes(500 * MIB), AMPLE);
    assertThat(refused).hasMessageMatching(".*needs 5\\d\\d(\\.\\d)? MiB of memory, 500 MiB .*");
    peak(request.withMemoryBytes(700 * MIB), AMPLE);
    assertThat(events)
        .filteredOn(TranscodeListener.Event.Noticed.class::isInstance)
        .extracting(event -> ((TranscodeListener.Event.Noticed) event).what())
        .containsOnlyOnce("Memory is scarce: 700 MiB may be used, so 1 of 2 lanes encode");
    assertThat(events)
        .filteredOn(TranscodeListener.Event.Planned.class::isInstance)
        .extracting(event -> ((TranscodeListener.Event.Planned) event).memory().sum())
        .containsExactly(700 * MIB);
    assertThat(TestingJobs.times(directory.resolve("out/720p.mp4"))).hasSize(75);
  }

  @Test
  void hundredsOfVideoTracksTakeNoMoreThanOne() throws Exception {
    Path one =
        TestingClips.clip(
            "track.mp4", "-f lavfi -i testsrc2=s=64x64:r=10 -t 1 -c:v libopenh264 -g 10");
    Path many = TestingClips.clip("tracks.mp4", "-i " + one + " -map 0:v".repeat(600) + " -c copy");
    peak(request(many).withLadder(LadderSpec.parse("64x64")).withMemoryBytes(330 * MIB), AMPLE);
    assertThat(events)
        .filteredOn(TranscodeListener.Event.Planned.class::isInstance)
        .singleElement()
        .satisfies(planned ->
            assertThat(((TranscodeListener.Event.Planned) planned).plan().notes())
                .anyMatch(
                    note -> note.contains("1, 2, 3, 4, 5, 6, 7, 8 and 591 more is left out")));
  }

  @Test
  void aPictureOfAnySizeThatAHeaderClaimsIsRefused() throws Exception {
    Path source =
        TestingClips.clip("claims.mov", "-f lavfi -i testsrc2=s=64x64:r=10 -t 1 -c:v mjpeg");
    byte[] frames = Files.readAllBytes(source);
    int found = 0;
    for (int at = 0; at + 9 < frames.length; at++) {
      ByteBuffer there = ByteBuffer.wrap(frames, at, 9);
      if (there.getInt() == 0xffc00011 && there.get() == 8) {
        there.putShort((short) 20_000).putShort((short) 20_000);
        found++;
      }
    }
    assertThat(found).isEqualTo(10);
    Path inPictures = Files.write(directory.resolve("pictures.mov"), frames);
    assertThat(unreadable(inPictures)).hasMessageContaining("no picture could be decoded");
    int header = new String(frames, StandardCharsets.ISO_8859_1).indexOf("jpeg");
    ByteBuffer.wrap(frames).putShort(header + 28, (short) 20_000);
    ByteBuffer.wrap(frames).putShort(header + 30, (short) 20_000);
    Path inHeader = Files.write(directory.resolve("header.mov"), frames);
    assertThat(refusal(request(inHeader), 400 * MIB))
        .hasMessageContaining("has pictures of 20000x20000, which need 6 GiB of memory");
  }

  private TranscodeException unreadable(Path source) {
    TranscodeException failed =
        catchThrowableOfType(
            TranscodeException.class, () -> peak(request(source).withRestart(true), 400 * MIB));
    assertThat(failed).as("it was not refused").isNotNull();
    assertThat(failed)
        .isInstanceOfAny(TranscodeException.Unreadable.class, TranscodeException.TooLarge.class);
    events.clear();
    return failed;
  }

  @Test
  void boxesThatPromiseMoreThanTheyHoldCostNoMemory() throws Exception {
    Path source =
        TestingClips.clip(
            "track.mp4", "-f lavfi -i testsrc2=s=64x64:r=10 -t 1 -c:v libopenh264 -g 10");
    byte[] whole = Files.readAllBytes(source);
    int sizes = new String(whole, StandardCharsets.ISO_8859_1).indexOf("stsz");
    ByteBuffer.wrap(whole).putInt(sizes + 8, 1).putInt(sizes + 12, 60_000_000);
    unreadable(Files.write(directory.resolve("samples.mp4"), whole));
    unreadable(Files.write(directory.resolve("nested.mp4"), boxes("moov", 100_000, true)));
    assertThat(unreadable(Files.write(directory.resolve("many.mp4"), boxes("trak", 5_000, false))))
        .hasMessageContaining("has more than 1000 streams");
    whole = Files.readAllBytes(source);
    int times = new String(whole, StandardCharsets.ISO_8859_1).indexOf("stts");
    ByteBuffer.wrap(whole).putInt(times + 16, 0x7ff_ffff);
    Path slow = Files.write(directory.resolve("slow.mp4"), whole);
    peak(request(slow).withLadder(LadderSpec.parse("64x64")).withRestart(true), 400 * MIB);
  }

  /** An MP4 of boxes, each in the one before it or all beside each other in the first. */
  private static byte[] boxes(String name, int count, boolean nested) {
    ByteBuffer file = ByteBuffer.allocate(24 + 8 * count);
    file.putInt(16).put("ftypisom".getBytes(StandardCharsets.US_ASCII)).putInt(0);
    file.putInt(8 + 8 * count).put("moov".getBytes(StandardCharsets.US_ASCII));
    for (int box = 0; box < count; box++) {
      file.putInt(nested ? 8 * (count - box) : 8);
      file.put(name.getBytes(StandardCharsets.US_ASCII));
    }
    return file.array();
  }
}
