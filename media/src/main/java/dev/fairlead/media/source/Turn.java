package dev.fairlead.media.source;

/** How stored pictures are turned and mirrored before they are shown: the eight ways there are. */
public enum Turn {
  NONE("", ""),
  CLOCKWISE("transpose=clock", "turned by 90°"),
  AROUND("hflip,vflip", "turned by 180°"),
  COUNTERCLOCKWISE("transpose=cclock", "turned by 270°"),
  MIRRORED("hflip", "mirrored"),
  /** Copied at last, for rows that lie backwards in memory are nothing that encoders take. */
  UPSIDE_DOWN("vflip,copy", "mirrored and turned by 180°"),
  /** About the diagonal from the upper left. */
  TRANSPOSED("transpose=cclock_flip", "mirrored and turned by 270°"),
  /** About the other diagonal. */
  TRANSVERSED("transpose=clock_flip", "mirrored and turned by 90°");

  private final String filters;
  private final String text;

  Turn(String filters, String text) {
    this.filters = filters;
    this.text = text;
  }

  /**
   * What a display matrix says.
   *
   * @param matrix the first two entries of its first two rows: what x and y become
   */
  public static Turn of(int... matrix) {
    int a = matrix[0];
    int b = matrix[1];
    int c = matrix[2];
    int d = matrix[3];
    if (Math.abs((long) b) + Math.abs((long) c) > Math.abs((long) a) + Math.abs((long) d)) {
      if (b > 0) {
        return c > 0 ? TRANSPOSED : CLOCKWISE;
      }
      return c > 0 ? COUNTERCLOCKWISE : TRANSVERSED;
    }
    if (a < 0) {
      return d < 0 ? AROUND : MIRRORED;
    }
    return d < 0 ? UPSIDE_DOWN : NONE;
  }

  /** The filters that do it; empty if nothing is to be done. */
  public String filters() {
    return filters;
  }

  /** Whether width and height change places. */
  public boolean isSideways() {
    return switch (this) {
      case CLOCKWISE, COUNTERCLOCKWISE, TRANSPOSED, TRANSVERSED -> true;
      case NONE, AROUND, MIRRORED, UPSIDE_DOWN -> false;
    };
  }

  /** In words; empty if nothing is to be done. */
  @Override
  public String toString() {
    return text;
  }
}
