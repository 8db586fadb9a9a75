package dev.fairlead.media.av;

import static dev.fairlead.media.av.AvException.check;
import static org.bytedeco.ffmpeg.global.avformat.AVIO_FLAG_READ;

import dev.fairlead.device.Bytes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVIOContext;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVDictionaryEntry;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avformat;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.PointerPointer;

/**
 * A media file that is being read. One thread at a time.
 *
 * <p>The file is hostile: it is opened here, as a plain file, by one of the demuxers that read
 * nothing but the file itself. Playlists, scripts and image sequences are refused, and so is any
 * other open that a demuxer asks for.
 *
 * <p>Files without an index may begin to count time anew on their way ({@link Seams}). There all
 * tracks of pictures and sound are read, whichever are wanted, and a place is found by reading up
 * to it, so that every reader sees the same times.
 */
public final class Source implements AutoCloseable {
  private static final List<String> DEMUXERS =
      List.of(
          "mov,mp4,m4a,3gp,3g2,mj2",
          "matroska,webm",
          "mpegts",
          "mpeg",
          "mpegvideo",
          "avi",
          "flv",
          "ogg",
          "asf",
          "mxf",
          "nut",
          "ivf",
          "obu",
          "av1",
          "h264",
          "hevc",
          "m4v",
          "dv",
          "gxf",
          "rm",
          "wtv",
          "y4m",
          "yuv4mpegpipe",
          "wav",
          "flac",
          "mp3",
          "aac");

  /** A file that has more streams is not read. */
  public static final int MOST_STREAMS = Limits.STREAMS;

  private static final int EACCES = 13;

  @SuppressWarnings("rawtypes") // as the library declares it
  private static final class NoOtherFiles
      extends AVFormatContext
          .Io_open_AVFormatContext_PointerPointer_BytePointer_int_PointerPointer {
    @Override
    public int call(
        AVFormatContext context,
        PointerPointer pb,
        BytePointer url,
        int flags,
        PointerPointer options) {
      return -EACCES;
    }
  }

  private static final NoOtherFiles NO_OTHER_FILES = new NoOtherFiles();

  private static final Set<String> INDEXED = Set.of("mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm");
  private static final AVRational MICROS = new AVRational().num(1).den(1_000_000);

  private final Path path;
  private final AVFormatContext format;
  private final AVIOContext io;
  private final boolean indexed;
  private final Seams seams = new Seams();
  private final List<Integer> hidden = new ArrayList<>();
  private final Map<Integer, Oversize> oversize = new HashMap<>();
  private List<Integer> wanted = List.of();
  private boolean all = true;
  private boolean closed;

  private Source(Path path, AVFormatContext format, AVIOContext io) {
    this.path = path;
    this.format = format;
    this.io = io;
    this.indexed = INDEXED.contains(format.iformat().name().getString());
  }

  /** Opens a file and reads as much as it takes to know its streams. */
  public static Source open(Path path) {
    Ffmpeg.load();
    AVIOContext io = new AVIOContext(null);
    try (Options options = Options.of(Map.of("protocol_whitelist", "file"))) {
      check(
          "opening " + path,
          avformat.avio_open2(
              io, "file:" + path.toAbsolutePath(), AVIO_FLAG_READ, null, options.dictionary()));
    }
    AVFormatContext format = avformat.avformat_alloc_context();
    format.pb(io);
    format.flags(format.flags() | AVFormatContext.AVFMT_FLAG_CUSTOM_IO);
    format.io_open(NO_OTHER_FILES);
    try (Options options =
        Options.of(
            Map.of(
                "protocol_whitelist",
                "file",
                "format_whitelist",
                String.join(",", DEMUXERS),
                "max_streams",
                String.valueOf(Limits.STREAMS)))) {
      int answer =
          avformat.avformat_open_input(
              format, path.getFileName().toString(), null, options.dictionary());
      if (answer < 0) {
        // The context is gone already.
        avformat.avio_closep(io);
        throw new AvException("reading " + path, answer);
      }
    }
    Source source = new Source(path, format, io);
    try {
      source.measure();
      source.hide();
      source.describe();
      return source;
    } catch (RuntimeException failure) {
      source.close();
      throw failure;
    }
  }

  /**
   * The size of the pictures of a stream that are too large to be decoded, as its header says.
   *
   * @param neededBytes the memory with which they would be decoded
   */
  public record Oversize(int width, int height, long neededBytes) {}

  private void measure() {
    for (int index = 0; index < streams(); index++) {
      AVCodecParameters its = stream(index).codecpar();
      long pixels = (long) its.width() * its.height();
      if (pixels > Limits.pixels()) {
        oversize.put(index, new Oversize(its.width(), its.height(), Limits.needed(pixels)));
      }
    }
  }

  /** Whether the header of a stream announces pictures that are too large. */
  public Optional<Oversize> oversize(int stream) {
    return Optional.ofNullable(oversize.get(stream));
  }

  /**
   * Leaves out all but a few streams of pictures, those that are shown unless one chooses first:
   * each would get a parser and a decoder, though one of them is encoded.
   */
  private void hide() {
    List<Integer> pictures =
        IntStream.range(0, streams())
            .filter(this::isPicture)
            .boxed()
            .sorted(Comparator.comparing(index -> !isPreferred(index)))
            .toList();
    for (int index : pictures.stream().skip(Limits.VIDEO_STREAMS).sorted().toList()) {
      hidden.add(index);
      AVStream stream = stream(index);
      stream.discard(avcodec.AVDISCARD_ALL);
      stream.codecpar().codec_type(avutil.AVMEDIA_TYPE_DATA);
      stream.codecpar().codec_id(avcodec.AV_CODEC_ID_NONE);
    }
  }

  private boolean isPicture(int index) {
    return stream(index).codecpar().codec_type() == avutil.AVMEDIA_TYPE_VIDEO;
  }

  private boolean isPreferred(int index) {
    int disposition = stream(index).disposition();
    return (disposition & avformat.AV_DISPOSITION_DEFAULT) != 0
        && (disposition & avformat.AV_DISPOSITION_ATTACHED_PIC) == 0;
  }

  /** Reads as much as it takes to know the streams, by decoders that take no larger pictures. */
  private void describe() {
    int count = streams();
    try (PointerPointer<AVDictionary> options = new PointerPointer<>(Math.max(1, count))) {
      for (int index = 0; index < count; index++) {
        AVDictionary its = new AVDictionary(null);
        avutil.av_dict_set(its, "max_pixels", String.valueOf(Limits.pixels()), 0);
        options.put(index, its);
      }
      int answer = avformat.avformat_find_stream_info(format, options);
      for (int index = 0; index < count; index++) {
        avutil.av_dict_free(options.position(index));
      }
      check("looking for streams in " + path, answer);
    }
  }

  /** Streams of pictures that were not looked into. */
  public List<Integer> hidden() {
    return List.copyOf(hidden);
  }

  public AVFormatContext format() {
    return format;
  }

  public AVStream stream(int index) {
    return format.streams(index);
  }

  /** How long a stream itself says that it lasts, in its ticks. */
  public OptionalLong duration(int stream) {
    AVStream its = stream(stream);
    if (its.duration() != avutil.AV_NOPTS_VALUE && its.duration() > 0) {
      boolean guessed = format.duration_estimation_method() == avformat.AVFMT_DURATION_FROM_BITRATE;
      return guessed ? OptionalLong.empty() : OptionalLong.of(its.duration());
    }
    AVDictionaryEntry told = avutil.av_dict_get(its.metadata(), "DURATION", null, 0);
    if (told == null || told.isNull()) {
      return OptionalLong.empty();
    }
    try (LongPointer micros = new LongPointer(1)) {
      return avutil.av_parse_time(micros, told.value().getString(), 1) < 0
          ? OptionalLong.empty()
          : OptionalLong.of(avutil.av_rescale_q(micros.get(), MICROS, its.time_base()));
    }
  }

  public int streams() {
    return format.nb_streams();
  }

  /** Only these streams are read from now on. */
  public void only(List<Integer> streams) {
    wanted = List.copyOf(streams);
    all = false;
    for (int index = 0; index < streams(); index++) {
      boolean read = wanted.contains(index) || (!indexed && isTimed(index));
      stream(index).discard(read ? avcodec.AVDISCARD_DEFAULT : avcodec.AVDISCARD_ALL);
    }
  }

  private boolean isTimed(int stream) {
    int type = stream(stream).codecpar().codec_type();
    return type == avutil.AVMEDIA_TYPE_VIDEO || type == avutil.AVMEDIA_TYPE_AUDIO;
  }

  /** Reads the next wanted packet into {@code packet}; false at the end. */
  public boolean read(AVPacket packet) {
    while (next(packet)) {
      if (all || wanted.contains(packet.stream_index())) {
        return true;
      }
      avcodec.av_packet_unref(packet);
    }
    return false;
  }

  private boolean next(AVPacket packet) {
    boolean more =
        AvException.checkMore("reading", claimed(avformat.av_read_frame(format, packet)));
    if (more && !indexed) {
      shift(packet);
    }
    return more;
  }

  /** Nothing is as large as what is refused here, other than in a file that lies. */
  private static int claimed(int code) {
    if (AvException.isOutOfMemory(code)) {
      throw new AvException(
          "reading: a packet claims to have more than the %s that one may take"
              .formatted(Bytes.of(Limits.piece())));
    }
    return code;
  }

  private void shift(AVPacket packet) {
    int stream = packet.stream_index();
    AVRational ticks = stream(stream).time_base();
    long micros = seams.shift();
    if (isTimed(stream)) {
      long time =
          packet.dts() == avutil.AV_NOPTS_VALUE
              ? Seams.UNKNOWN
              : avutil.av_rescale_q(packet.dts(), ticks, MICROS);
      micros = seams.shift(stream, time, avutil.av_rescale_q(packet.duration(), ticks, MICROS));
    }
    if (micros != 0) {
      long its = avutil.av_rescale_q(micros, MICROS, ticks);
      if (packet.pts() != avutil.AV_NOPTS_VALUE) {
        packet.pts(packet.pts() + its);
      }
      if (packet.dts() != avutil.AV_NOPTS_VALUE) {
        packet.dts(packet.dts() + its);
      }
    }
  }

  /** How often times have begun again by now. */
  public int seams() {
    return seams.count();
  }

  /** Goes to the keyframe of a stream at or before a time; false if the file cannot do that. */
  public boolean seek(int stream, long pts) {
    if (indexed) {
      return avformat.av_seek_frame(format, stream, pts, avformat.AVSEEK_FLAG_BACKWARD) >= 0;
    }
    AVPacket packet = avcodec.av_packet_alloc();
    try {
      long before;
      try (Source ahead = open(path)) {
        ahead.only(wanted);
        before = ahead.packetsBefore(packet, stream, pts);
      }
      for (long skipped = 0; skipped < before && next(packet); skipped++) {
        avcodec.av_packet_unref(packet);
      }
      return before >= 0;
    } finally {
      avcodec.av_packet_free(packet);
    }
  }

  /** How many packets come before the last keyframe that is not too late; negative if none is. */
  private long packetsBefore(AVPacket packet, int stream, long pts) {
    long found = -1;
    boolean beyond = false;
    for (long count = 0; !beyond && next(packet); count++) {
      if (packet.stream_index() == stream) {
        boolean key = (packet.flags() & avcodec.AV_PKT_FLAG_KEY) != 0;
        if (key && packet.pts() != avutil.AV_NOPTS_VALUE && packet.pts() <= pts) {
          found = count;
        }
        beyond = packet.dts() != avutil.AV_NOPTS_VALUE && packet.dts() > pts;
      }
      avcodec.av_packet_unref(packet);
    }
    return found;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      avformat.avformat_close_input(format);
      avformat.avio_closep(io);
    }
  }
}
