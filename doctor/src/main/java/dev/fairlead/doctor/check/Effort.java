package dev.fairlead.doctor.check;

/**
 * How much is done by checks that take long.
 *
 * @param kills processes that are killed while they encode
 * @param settleSeconds how long a card gets to have back what killed processes had
 * @param endlessSeconds how long a kernel without end runs, unless the driver ends it
 * @param ladderSeconds how long the video is that a ladder is made of
 * @param ladderHeight of its pictures, which are wide ones
 */
public record Effort(
    int kills, int settleSeconds, int endlessSeconds, int ladderSeconds, int ladderHeight) {
  public static final Effort USUAL = new Effort(20, 10, 8, 120, 720);
}
