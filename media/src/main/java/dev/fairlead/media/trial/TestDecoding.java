package dev.fairlead.media.trial;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Decoder;
import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.encode.EncodedChunk;
import dev.fairlead.media.settings.VideoSettings;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bytedeco.ffmpeg.global.avutil;

/** Packets of test pictures, decoded by the processor and compared with what was encoded. */
final class TestDecoding implements Consumer<Encoded>, AutoCloseable {
  private final VideoSettings settings;
  private final Supplier<byte[]> header;
  private final TestPictures source;
  private final Likeness likeness;
  private final Decoder decoder;
  private byte[] first = {};
  private boolean keyFirst;
  private int packets;
  private int keys;
  private int decoded;
  private int width;
  private int height;
  private boolean alike = true;
  private boolean decodable = true;

  /**
   * For packets with these settings.
   *
   * @param header asked for with the first packet
   */
  TestDecoding(VideoSettings settings, Supplier<byte[]> header) {
    this.settings = settings;
    this.header = header;
    this.source = TestPictures.of(settings);
    this.likeness = new Likeness(settings.target().depth());
    this.decoder = Decoder.open(settings.kind().codec());
  }

  @Override
  public void accept(Encoded packet) {
    packets++;
    keys += packet.key() ? 1 : 0;
    if (packets == 1) {
      first = packet.data();
      keyFirst = packet.key();
      decode(new EncodedChunk(header.get(), List.of(packet)).beginning());
    } else {
      decode(packet.data());
    }
  }

  private void decode(byte[] data) {
    try {
      decodable = decodable && decoder.decodeNext(data, this::see);
    } catch (AvException damaged) {
      decodable = false;
    }
  }

  /** No more packets come. */
  void finish() {
    try {
      decodable = decoder.decode(null, this::see) && decodable;
    } catch (AvException damaged) {
      decodable = false;
    }
  }

  private void see(Picture picture) {
    try (picture;
        Picture original = source.next()) {
      if (decoded == 0) {
        width = picture.width();
        height = picture.height();
      }
      decoded++;
      Picture.Shape shape = picture.shape();
      if (shape.width() == original.width()
          && shape.height() == original.height()
          && shape.format() == avutil.av_get_pix_fmt(settings.target().pixelFormat())) {
        likeness.add(original, picture);
      } else {
        alike = false;
      }
    }
  }

  byte[] first() {
    return first.clone();
  }

  boolean beginsWithKey() {
    return keyFirst;
  }

  int packets() {
    return packets;
  }

  int keys() {
    return keys;
  }

  /** Pictures that came out, until something could not be decoded. */
  int decoded() {
    return decoded;
  }

  int width() {
    return width;
  }

  int height() {
    return height;
  }

  /** How near the brightness is, in decibels; zero if a picture has another shape. */
  double lumaDb() {
    return alike && decoded > 0 ? likeness.luma() : 0;
  }

  double chromaDb() {
    return alike && decoded > 0 ? likeness.chroma() : 0;
  }

  @Override
  public void close() {
    decoder.close();
    source.close();
  }
}
