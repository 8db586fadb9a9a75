package dev.fairlead.doctor.check;

/**
 * How much is done by checks that take long.
 *
 * @param pictures that an encoder makes
 * @param kills processes that are killed while they encode
 * @param settleSeconds how long a card gets to have back what killed processes had
 * @param endlessSeconds how long a kernel without end runs, unless the driver ends it
 * @param ladder what a ladder is made of
 */
public record Effort(int pictures, int kills, int settleSeconds, int endlessSeconds, Clip ladder) {
  public static final Effort USUAL = new Effort(60, 20, 10, 8, new Clip(120, 720));

  /** A video of wide pictures. */
  public record Clip(int seconds, int height) {}
}
