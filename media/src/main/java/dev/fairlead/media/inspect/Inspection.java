package dev.fairlead.media.inspect;

import static org.bytedeco.ffmpeg.global.avcodec.AV_PKT_DATA_DISPLAYMATRIX;
import static org.bytedeco.ffmpeg.global.avutil.AVMEDIA_TYPE_AUDIO;
import static org.bytedeco.ffmpeg.global.avutil.AVMEDIA_TYPE_SUBTITLE;
import static org.bytedeco.ffmpeg.global.avutil.AVMEDIA_TYPE_VIDEO;
import static org.bytedeco.ffmpeg.global.avutil.AV_NOPTS_VALUE;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Ffmpeg;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.av.Source;
import dev.fairlead.media.source.AudioTrack;
import dev.fairlead.media.source.Colour;
import dev.fairlead.media.source.Mastering;
import dev.fairlead.media.source.MediaInfo;
import dev.fairlead.media.source.Rational;
import dev.fairlead.media.source.SubtitleTrack;
import dev.fairlead.media.source.Turn;
import dev.fairlead.media.source.VideoTrack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avcodec.AVPacketSideData;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVDictionaryEntry;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avformat;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.IntPointer;

/** Finds out what is in a source. */
public final class Inspection {
  /** Three planes, as large as the picture, of 16 bits. */
  private static final int MOST_PIXEL_BITS = 48;

  private Inspection() {}

  /**
   * Describes a file.
   *
   * @throws UnreadableSource if it cannot be read, or has no video
   */
  public static MediaInfo of(Path path) {
    if (!Files.isRegularFile(path)) {
      throw new UnreadableSource(path, Files.exists(path) ? "is not a file" : "does not exist");
    }
    if (!Files.isReadable(path)) {
      throw new UnreadableSource(path, "may not be read");
    }
    try (Source source = Source.open(path)) {
      return describe(source, path);
    } catch (AvException failure) {
      throw new UnreadableSource(
          path,
          failure.isOutOfMemory()
              ? "has more than %d streams, or asks for too much memory at once"
                  .formatted(Source.MOST_STREAMS)
              : "is not media that Fairlead reads (" + failure.getMessage() + ")",
          failure);
    }
  }

  private static MediaInfo describe(Source source, Path path) {
    Optional<VideoTrack> video = Optional.empty();
    List<AudioTrack> audio = new ArrayList<>();
    List<SubtitleTrack> subtitles = new ArrayList<>();
    List<Integer> otherVideo = new ArrayList<>(source.hidden());
    int best =
        avformat.av_find_best_stream(
            source.format(),
            AVMEDIA_TYPE_VIDEO,
            -1,
            -1,
            (org.bytedeco.ffmpeg.avcodec.AVCodec) null,
            0);
    for (int index = 0; index < source.streams(); index++) {
      AVStream stream = source.stream(index);
      int type = stream.codecpar().codec_type();
      if (type == AVMEDIA_TYPE_VIDEO && index == best) {
        video = Optional.of(video(source, stream, path));
      } else if (type == AVMEDIA_TYPE_VIDEO && !isCover(stream)) {
        otherVideo.add(index);
      } else if (type == AVMEDIA_TYPE_AUDIO) {
        audio.add(audio(stream));
      } else if (type == AVMEDIA_TYPE_SUBTITLE) {
        subtitles.add(subtitle(stream));
      }
    }
    long micros = source.format().duration();
    return new MediaInfo(
        source.format().iformat().name().getString(),
        micros == AV_NOPTS_VALUE ? 0 : micros / 1e6,
        Math.max(0, path.toFile().length()),
        video.orElseThrow(() -> new UnreadableSource(path, "has no video to encode")),
        audio,
        subtitles,
        otherVideo.stream().sorted().toList());
  }

  private static boolean isCover(AVStream stream) {
    return (stream.disposition() & avformat.AV_DISPOSITION_ATTACHED_PIC) != 0;
  }

  private static void requireDecoder(AVCodecParameters codec, Path path) {
    var decoder = avcodec.avcodec_find_decoder(codec.codec_id());
    if (decoder == null || decoder.isNull()) {
      throw new UnreadableSource(
          path,
          codec.codec_id() == avcodec.AV_CODEC_ID_NONE
              ? "has video in a codec that is not known, or encrypted"
              : "has video in %s, and there is no decoder for that".formatted(codecName(codec)));
    }
  }

  private static VideoTrack video(Source source, AVStream stream, Path path) {
    AVCodecParameters codec = stream.codecpar();
    if (codec.width() <= 0 || codec.height() <= 0) {
      source
          .oversize(stream.index())
          .ifPresent(its -> {
            throw LargeSource.of(path, its.width(), its.height(), its.neededBytes());
          });
      throw new UnreadableSource(path, "has video whose size is not known");
    }
    if (isCover(stream)) {
      throw new UnreadableSource(path, "has no video to encode, only a cover picture");
    }
    AVRational rate = avformat.av_guess_frame_rate(source.format(), stream, null);
    AVRational aspect = avformat.av_guess_sample_aspect_ratio(source.format(), stream, null);
    Rational timeBase = rational(stream.time_base());
    Opening opening = Opening.of(source, stream.index());
    if (opening.empty()) {
      throw new UnreadableSource(path, "has a video track without a picture");
    }
    if (opening.encrypted()) {
      throw new UnreadableSource(path, "is encrypted, and Fairlead has no key");
    }
    requireDecoder(codec, path);
    Colour colour =
        new Colour(
            codec.color_primaries(),
            codec.color_trc(),
            Picture.isRgb(codec.format()) ? avutil.AVCOL_SPC_RGB : codec.color_space(),
            codec.color_range() == avutil.AVCOL_RANGE_JPEG);
    Mastering mastering = HdrMetadata.of(codec);
    if (colour.isHdr() && !mastering.isWhole()) {
      mastering = mastering.or(HdrMetadata.ofStream(path, stream.index()));
    }
    Rational claimed = rate.num() > 0 && rate.den() > 0 ? rational(rate) : new Rational(0, 1);
    long start = stream.start_time() == AV_NOPTS_VALUE ? 0 : stream.start_time();
    start = Math.min(start, opening.first());
    return new VideoTrack(
        stream.index(),
        codecName(codec),
        codec.width(),
        codec.height(),
        aspect.num() > 0 && aspect.den() > 0 ? rational(aspect) : new Rational(1, 1),
        turn(codec),
        timeBase,
        opening.frameRate(claimed, timeBase),
        start,
        duration(source, stream, timeBase),
        depth(codec),
        colour,
        codec.field_order() > avcodec.AV_FIELD_PROGRESSIVE,
        mastering,
        pixelBits(codec));
  }

  private static long duration(Source source, AVStream stream, Rational timeBase) {
    if (stream.duration() != AV_NOPTS_VALUE && stream.duration() > 0) {
      return stream.duration();
    }
    long micros = source.format().duration();
    return micros == AV_NOPTS_VALUE ? 0 : (long) (micros / 1e6 / timeBase.value());
  }

  private static Turn turn(AVCodecParameters codec) {
    AVPacketSideData side =
        avcodec.av_packet_side_data_get(
            codec.coded_side_data(), codec.nb_coded_side_data(), AV_PKT_DATA_DISPLAYMATRIX);
    if (side == null || side.isNull() || side.size() < 9 * Integer.BYTES) {
      return Turn.NONE;
    }
    IntPointer matrix = new IntPointer(side.data());
    return Turn.of(matrix.get(0), matrix.get(1), matrix.get(3), matrix.get(4));
  }

  private static int depth(AVCodecParameters codec) {
    var format = avutil.av_pix_fmt_desc_get(codec.format());
    return format == null || format.isNull() ? 8 : format.comp(0).depth();
  }

  /** Those of pictures that decoders make of streams which do not say are taken to be the most. */
  private static int pixelBits(AVCodecParameters codec) {
    var format = avutil.av_pix_fmt_desc_get(codec.format());
    int bits = format == null || format.isNull() ? 0 : avutil.av_get_padded_bits_per_pixel(format);
    return bits > 0 ? bits : MOST_PIXEL_BITS;
  }

  private static AudioTrack audio(AVStream stream) {
    AVCodecParameters codec = stream.codecpar();
    return new AudioTrack(
        stream.index(),
        codecName(codec),
        codec.ch_layout().nb_channels(),
        Ffmpeg.nameOf(codec.ch_layout()),
        codec.sample_rate(),
        rational(stream.time_base()),
        stream.start_time() == AV_NOPTS_VALUE ? 0 : stream.start_time(),
        tag(stream, "language"),
        tag(stream, "title"),
        (stream.disposition() & avformat.AV_DISPOSITION_DEFAULT) != 0);
  }

  private static SubtitleTrack subtitle(AVStream stream) {
    var descriptor = avcodec.avcodec_descriptor_get(stream.codecpar().codec_id());
    boolean text =
        descriptor != null
            && !descriptor.isNull()
            && (descriptor.props() & avcodec.AV_CODEC_PROP_TEXT_SUB) != 0;
    return new SubtitleTrack(
        stream.index(),
        codecName(stream.codecpar()),
        text,
        tag(stream, "language"),
        tag(stream, "title"),
        (stream.disposition() & avformat.AV_DISPOSITION_DEFAULT) != 0,
        (stream.disposition() & avformat.AV_DISPOSITION_FORCED) != 0);
  }

  private static String codecName(AVCodecParameters codec) {
    return avcodec.avcodec_get_name(codec.codec_id()).getString();
  }

  private static String tag(AVStream stream, String name) {
    AVDictionaryEntry entry = avutil.av_dict_get(stream.metadata(), name, null, 0);
    return entry == null || entry.isNull() ? "" : entry.value().getString();
  }

  private static Rational rational(AVRational value) {
    return new Rational(value.num(), value.den());
  }
}
