package dev.fairlead.media.av;

import static dev.fairlead.media.av.AvException.check;
import static org.bytedeco.ffmpeg.global.avformat.AVIO_FLAG_READ;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVIOContext;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avformat;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerPointer;

/**
 * A media file that is being read. One thread at a time.
 *
 * <p>The file is hostile: it is opened here, as a plain file, by one of the demuxers that read
 * nothing but the file itself. Playlists, scripts and image sequences are refused, and so is any
 * other open that a demuxer asks for.
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

  private final AVFormatContext format;
  private final AVIOContext io;
  private boolean closed;

  private Source(AVFormatContext format, AVIOContext io) {
    this.format = format;
    this.io = io;
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
            Map.of("protocol_whitelist", "file", "format_whitelist", String.join(",", DEMUXERS)))) {
      int answer =
          avformat.avformat_open_input(
              format, path.getFileName().toString(), null, options.dictionary());
      if (answer < 0) {
        // The context is gone already.
        avformat.avio_closep(io);
        throw new AvException("reading " + path, answer);
      }
    }
    Source source = new Source(format, io);
    try {
      check(
          "looking for streams in " + path,
          avformat.avformat_find_stream_info(format, (AVDictionary) null));
      return source;
    } catch (RuntimeException failure) {
      source.close();
      throw failure;
    }
  }

  public AVFormatContext format() {
    return format;
  }

  public AVStream stream(int index) {
    return format.streams(index);
  }

  public int streams() {
    return format.nb_streams();
  }

  /** Only these streams are read from now on. */
  public void only(List<Integer> wanted) {
    for (int index = 0; index < streams(); index++) {
      stream(index)
          .discard(wanted.contains(index) ? avcodec.AVDISCARD_DEFAULT : avcodec.AVDISCARD_ALL);
    }
  }

  /** Reads the next packet into {@code packet}; false at the end. */
  public boolean read(AVPacket packet) {
    return AvException.checkMore("reading", avformat.av_read_frame(format, packet));
  }

  /** Goes to the keyframe of a stream at or before a time; false if the file cannot do that. */
  public boolean seek(int stream, long pts) {
    return avformat.av_seek_frame(format, stream, pts, avformat.AVSEEK_FLAG_BACKWARD) >= 0;
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
