package dev.fairlead.media.source;

/**
 * How sample values stand for colours, by the code points of ITU-T H.273; 2 is not specified.
 *
 * @param fullRange whether luma uses all values, not 16 to 235
 */
public record Colour(int primaries, int transfer, int matrix, boolean fullRange) {
  private static final int RGB = 0;
  private static final int BT709 = 1;
  private static final int UNSPECIFIED = 2;
  private static final int RESERVED = 3;
  private static final int BT601_625 = 5;
  private static final int BT601_525 = 6;
  private static final int BT2020 = 9;
  private static final int PQ = 16;
  private static final int HLG = 18;
  private static final int HD_WIDTH = 1280;
  private static final int LINES_625 = 576;
  private static final int LINES_525 = 480;

  public static Colour unspecified() {
    return new Colour(UNSPECIFIED, UNSPECIFIED, UNSPECIFIED, false);
  }

  public static Colour bt709() {
    return new Colour(BT709, BT709, BT709, false);
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

  /**
   * The same with what it leaves open as players guess it, from what it does say and from the size
   * of the picture.
   */
  public Colour guessed(int width, int height) {
    boolean hd = width >= HD_WIDTH || height > LINES_625;
    int usualMatrix =
        switch (primaries) {
          case BT709, BT601_625, BT601_525, BT2020 -> primaries;
          default -> hd ? BT709 : BT601_525;
        };
    int usualPrimaries =
        switch (matrix) {
          case RGB, BT709 -> BT709;
          case BT2020 -> BT2020;
          default ->
              switch (height) {
                case LINES_625 -> BT601_625;
                case LINES_525 -> BT601_525;
                default -> BT709;
              };
        };
    return new Colour(
        isOpen(primaries) || primaries == RGB ? usualPrimaries : primaries,
        isOpen(transfer) || transfer == RGB ? BT709 : transfer,
        isOpen(matrix) ? usualMatrix : matrix,
        fullRange);
  }

  private static boolean isOpen(int value) {
    return value == UNSPECIFIED || value == RESERVED;
  }

  public boolean isHdr() {
    return transfer == PQ || transfer == HLG;
  }
}
