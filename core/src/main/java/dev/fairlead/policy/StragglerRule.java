package dev.fairlead.policy;

/**
 * What is expected of work that runs, and the rule for the end of a job, when nothing waits and
 * devices are idle: a unit that runs is worth a second copy where that copy would be done before
 * it.
 */
public final class StragglerRule {
  /** What has taken so many times its prediction is a straggler. */
  private static final double STRAGGLES = 1.5;

  private StragglerRule() {}

  /**
   * Seconds that a running unit still needs: its prediction less the time that has passed. A
   * straggler is expected to take as long again as it has taken so far; in between nothing is
   * known, and the answer is not positive, so that nothing is done.
   */
  public static double remaining(double predictedSeconds, double elapsedSeconds) {
    return elapsedSeconds > STRAGGLES * predictedSeconds
        ? elapsedSeconds
        : predictedSeconds - elapsedSeconds;
  }

  /**
   * After how many seconds a unit that runs is worth a copy, if it is not yet: it has become a
   * straggler by then, and has taken longer than the copy would.
   */
  public static double worthAfter(double predictedSeconds, double copySeconds) {
    return Math.max(STRAGGLES * predictedSeconds, copySeconds);
  }

  /** Seconds of backlog that running work makes: what overran is to take as much again. */
  public static double backlog(double predictedSeconds, double elapsedSeconds) {
    return Math.abs(predictedSeconds - elapsedSeconds);
  }

  /** Seconds gained by a copy that takes {@code copySeconds} on an idle device. */
  public static double gain(double predictedSeconds, double elapsedSeconds, double copySeconds) {
    return remaining(predictedSeconds, elapsedSeconds) - copySeconds;
  }
}
