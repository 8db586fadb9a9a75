package dev.fairlead.media.av;

import static dev.fairlead.media.av.AvException.check;
import static dev.fairlead.media.av.AvException.checkDevice;

import java.util.function.Consumer;
import org.bytedeco.ffmpeg.avfilter.AVBufferSrcParameters;
import org.bytedeco.ffmpeg.avfilter.AVFilterContext;
import org.bytedeco.ffmpeg.avfilter.AVFilterGraph;
import org.bytedeco.ffmpeg.avfilter.AVFilterInOut;
import org.bytedeco.ffmpeg.avutil.AVBufferRef;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avfilter;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;

/** A chain of filters, from one kind of picture or sound to another. One thread at a time. */
public final class Filter implements AutoCloseable {
  private final AVFilterGraph graph;
  private final AVFilterContext input;
  private final AVFilterContext output;
  private final AVFrame frame;
  private int num;
  private int den;
  private boolean closed;

  private Filter(AVFilterGraph graph, AVFilterContext input, AVFilterContext output) {
    this.graph = graph;
    this.input = input;
    this.output = output;
    this.frame = avutil.av_frame_alloc();
  }

  /** For pictures like the given one, with timestamps of so many seconds a tick. */
  public static Filter video(Picture like, int num, int den, String chain) {
    AVFrame frame = like.frame();
    int aspectNum = frame.sample_aspect_ratio().num();
    int aspectDen = Math.max(1, frame.sample_aspect_ratio().den());
    String arguments =
        "width=%d:height=%d:pix_fmt=%d:time_base=%d/%d:pixel_aspect=%d/%d:colorspace=%d:range=%d"
            .formatted(
                frame.width(),
                frame.height(),
                frame.format(),
                num,
                den,
                aspectNum,
                aspectDen,
                frame.colorspace(),
                frame.color_range());
    return open("buffer", arguments, frame.hw_frames_ctx(), "buffersink", chain).in(num, den);
  }

  /** For sound like the given one, with timestamps of so many seconds a tick. */
  public static Filter audio(Picture like, int num, int den, String chain) {
    AVFrame frame = like.frame();
    String arguments =
        "sample_rate=%d:sample_fmt=%s:channel_layout=%s:time_base=%d/%d"
            .formatted(
                frame.sample_rate(),
                avutil.av_get_sample_fmt_name(frame.format()).getString(),
                Ffmpeg.nameOf(frame.ch_layout()),
                num,
                den);
    return open("abuffer", arguments, null, "abuffersink", chain);
  }

  /** A chain that begins with a source of its own, such as a test picture. */
  public static Filter source(String chain, boolean video) {
    Ffmpeg.load();
    AVFilterGraph graph = avfilter.avfilter_graph_alloc();
    return open(graph, null, video ? "buffersink" : "abuffersink", chain);
  }

  private static Filter open(
      String from, String arguments, @Nullable AVBufferRef frames, String to, String chain) {
    AVFilterGraph graph = avfilter.avfilter_graph_alloc();
    AVFilterContext input;
    ErrorLog.forget();
    try {
      graph.nb_threads(1);
      input =
          avfilter.avfilter_graph_alloc_filter(graph, avfilter.avfilter_get_by_name(from), "in");
      if (input == null) {
        throw new AvException("No memory for a filter");
      }
      if (frames != null) {
        readFrom(input, frames);
      }
      check("making a filter's input", avfilter.avfilter_init_str(input, arguments));
    } catch (RuntimeException failure) {
      avfilter.avfilter_graph_free(graph);
      throw failure;
    }
    return open(graph, input, to, chain);
  }

  /** Pictures that come in are in a device's memory: a filter there finds the device by it. */
  private static void readFrom(AVFilterContext input, AVBufferRef frames) {
    AVBufferSrcParameters parameters = avfilter.av_buffersrc_parameters_alloc();
    try {
      parameters.hw_frames_ctx(frames);
      check("making a filter's input", avfilter.av_buffersrc_parameters_set(input, parameters));
    } finally {
      avutil.av_free(parameters);
    }
  }

  private static Filter open(
      AVFilterGraph graph, @Nullable AVFilterContext input, String to, String chain) {
    AVFilterContext output = new AVFilterContext(null);
    AVFilterInOut ins = new AVFilterInOut(null);
    AVFilterInOut outs = new AVFilterInOut(null);
    try {
      check(
          "making a filter's output",
          avfilter.avfilter_graph_create_filter(
              output, avfilter.avfilter_get_by_name(to), "out", null, null, graph));
      check("reading " + chain, avfilter.avfilter_graph_parse2(graph, chain, ins, outs));
      if (input != null) {
        check("linking", avfilter.avfilter_link(input, 0, ins.filter_ctx(), ins.pad_idx()));
      }
      check("linking", avfilter.avfilter_link(outs.filter_ctx(), outs.pad_idx(), output, 0));
      checkDevice("setting up " + chain, avfilter.avfilter_graph_config(graph, null));
      return new Filter(graph, input == null ? output : input, output);
    } catch (RuntimeException failure) {
      avfilter.avfilter_graph_free(graph);
      throw failure;
    } finally {
      avfilter.avfilter_inout_free(ins);
      avfilter.avfilter_inout_free(outs);
    }
  }

  /** Puts a picture in, or the end if there is none, and takes out what is ready. */
  public void filter(@Nullable Picture picture, Consumer<Picture> sink) {
    ErrorLog.forget();
    checkDevice(
        "filtering",
        avfilter.av_buffersrc_add_frame_flags(
            input, picture == null ? null : picture.frame(), avfilter.AV_BUFFERSRC_FLAG_KEEP_REF));
    Picture next = pull();
    while (next != null) {
      sink.accept(next);
      next = pull();
    }
  }

  /** Timestamps come out in these ticks, whatever the chain makes of them. */
  private Filter in(int ticksNum, int ticksDen) {
    num = ticksNum;
    den = ticksDen;
    return this;
  }

  /** A time of what has come out, in the ticks of what was put in. */
  private long ticks(long made) {
    if (den == 0) {
      return made;
    }
    AVRational base = avfilter.av_buffersink_get_time_base(output);
    return avutil.av_rescale(made, (long) base.num() * den, (long) base.den() * num);
  }

  /** What comes out next; null if nothing does now, or any more. */
  public @Nullable Picture pull() {
    if (!AvException.checkMore("filtering", avfilter.av_buffersink_get_frame(output, frame))) {
      return null;
    }
    frame.duration(ticks(frame.duration()));
    return Picture.take(frame, ticks(frame.pts()));
  }

  /** Makes sound come out in pieces of so many samples. */
  public void pieces(int samples) {
    avfilter.av_buffersink_set_frame_size(output, samples);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      avutil.av_frame_free(frame);
      avfilter.avfilter_graph_free(graph);
    }
  }
}
