package dev.fairlead.media.plan;

import dev.fairlead.media.source.Colour;
import dev.fairlead.media.source.Mastering;
import dev.fairlead.media.source.VideoTrack;
import java.util.List;

/**
 * How the pictures of every rung are made; always 4:2:0, and the first frame of each chunk is a
 * key.
 *
 * @param depth bits per sample of the output
 * @param colour of the output; always of limited range, and nothing is left open
 * @param mastering what is said of it in files; nothing unless HDR is kept
 * @param tonemap whether a high dynamic range is brought down to the standard one
 */
public record VideoPlan(
    VideoCodec codec,
    int preset,
    int depth,
    Colour colour,
    boolean deinterlace,
    boolean tonemap,
    Mastering mastering) {
  static VideoPlan of(VideoTrack source, TranscodeRequest request, List<String> notes) {
    VideoCodec codec = request.encoding().codec();
    boolean hdr = source.colour().isHdr();
    boolean keep = request.picture().hdr() == PictureChoice.Hdr.KEEP;
    if (hdr && keep && codec == VideoCodec.H264) {
      notes.add("H.264 has no high dynamic range here; it is brought down to the standard one");
    }
    Colour colour = hdr ? source.colour().ofHdr() : source.colour();
    if (!colour.equals(source.colour())) {
      notes.add("The source does not say which primaries its high dynamic range has: BT.2020");
    }
    boolean tonemap = hdr && (!keep || codec == VideoCodec.H264);
    boolean deep = source.depth() > 8 && codec != VideoCodec.H264 && !tonemap;
    if (source.colour().fullRange()) {
      notes.add("The source has levels in full range; they become those of the limited one");
    }
    return new VideoPlan(
        codec,
        request.encoding().preset().orElse(codec.usualPreset()),
        deep ? 10 : 8,
        tonemap ? Colour.bt709() : colour.guessed(source.width(), source.height()).limited(),
        source.interlaced() && request.picture().deinterlace() == PictureChoice.Deinterlace.AUTO,
        tonemap,
        hdr && !tonemap ? source.mastering() : Mastering.none());
  }
}
