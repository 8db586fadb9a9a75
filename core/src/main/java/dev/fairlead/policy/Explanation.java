package dev.fairlead.policy;

import dev.fairlead.device.Device;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;

/**
 * Why a demand was answered as it was: what the policy was, what it answered, and for each device
 * why it was or was not chosen.
 */
public record Explanation(
    Demand demand, String policy, Placement<Device> answer, List<Verdict> verdicts) {

  private static final MathContext DIGITS = new MathContext(3);

  /**
   * What was found of one device.
   *
   * @param index the device's index in the pool
   */
  public record Verdict(int index, Device device, Finding finding, String reason) {}

  /** Why a device was or was not chosen. */
  public enum Finding {
    CHOSEN,
    /** It will finish this sooner than any free device. */
    AWAITED,
    /** It could have taken the work; another one was better. */
    OUTDONE,
    /** It could take the work, but has no room now. */
    BUSY,
    /** It can never take this work, or does not serve. */
    INELIGIBLE
  }

  /** How much a device has before it, in words. */
  static String toDo(int burden) {
    return switch (burden) {
      case 0 -> "nothing to do";
      case 1 -> "1 item to do";
      default -> burden + " items to do";
    };
  }

  /** A figure with as many digits as matter. */
  static String figure(double value) {
    return Double.isFinite(value)
        ? BigDecimal.valueOf(value).round(DIGITS).stripTrailingZeros().toPlainString()
        : String.valueOf(value);
  }

  public Explanation {
    verdicts = List.copyOf(verdicts);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(policy).append(" for ").append(demand).append(": ");
    switch (answer) {
      case Placement.Place<Device>(Device target) -> text.append("place on ").append(target);
      case Placement.Wait<Device>(String reason) -> text.append("wait, ").append(reason);
      case Placement.Reject<Device>(String reason) -> text.append("reject, ").append(reason);
    }
    for (Verdict verdict : verdicts) {
      text.append(
          "\n  %-10s %-10s %s"
              .formatted(
                  verdict.device, verdict.finding.name().toLowerCase(Locale.ROOT), verdict.reason));
    }
    return text.toString();
  }
}
