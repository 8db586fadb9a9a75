package dev.fairlead.media.worker;

import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avfilter;
import org.bytedeco.ffmpeg.global.avformat;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.ffmpeg.global.swresample;
import org.bytedeco.ffmpeg.global.swscale;
import org.bytedeco.javacpp.Loader;

/** A process that loads every library that workers use, so that all of them are unpacked. */
public final class CodecUnpacking {
  private CodecUnpacking() {}

  /** Takes no arguments. */
  public static void main(String[] arguments) {
    Loader.load(avutil.class);
    Loader.load(swresample.class);
    Loader.load(swscale.class);
    Loader.load(avcodec.class);
    Loader.load(avformat.class);
    Loader.load(avfilter.class);
  }
}
