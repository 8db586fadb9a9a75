package dev.fairlead.media.probe;

/**
 * How sample values stand for colours, by the code points of ITU-T H.273; 2 is not specified.
 *
 * @param fullRange whether luma uses all values, not 16 to 235
 */
public record Colour(int primaries, int transfer, int matrix, boolean fullRange) {
  private static final int RGB = 0;
  private static final int BT709 = 1;
  private static final int UNSPECIFIED = 2;
  private static final int BT2020 = 9;
  private static final int PQ = 16;
  private static final int HLG = 18;

  public static Colour unspecified() {
    return new Colour(2, 2, 2, false);
  }

  /** What a playlist calls the range of the video: SDR, PQ or HLG. */
  public String range() {
    return switch (transfer) {
      case PQ -> "PQ";
      case HLG -> "HLG";
      default -> "SDR";
    };
  }

  /** The same in limited range, and as luma and chroma by BT.709 if it was red, green and blue. */
  public Colour limited() {
    return new Colour(primaries, transfer, matrix == RGB ? BT709 : matrix, false);
  }

  /** The same with the primaries and matrix of BT.2020, as HDR has them, where it says none. */
  public Colour ofHdr() {
    return new Colour(
        primaries == UNSPECIFIED ? BT2020 : primaries,
        transfer,
        matrix == UNSPECIFIED ? BT2020 : matrix,
        fullRange);
  }

  public boolean isHdr() {
    return transfer == PQ || transfer == HLG;
  }
}
