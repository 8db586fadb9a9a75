package dev.fairlead.cli;

import dev.fairlead.device.Profile;
import dev.fairlead.doctor.check.Finding;
import dev.fairlead.doctor.run.Checkup;
import dev.fairlead.doctor.run.Planned;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Findings for people to read, in eighty columns. */
final class DoctorText {
  private static final int WIDTH = 80;
  private static final int NAME = 28;
  private static final int SKIPPED = 8;
  private static final int INDENT = SKIPPED + NAME + 1;

  private DoctorText() {}

  static String heading(Planned subject) {
    String title =
        switch (subject.subject()) {
          case Planned.MACHINE -> "This machine";
          case Planned.ALL -> "All devices together";
          default -> subject.subject() + ": " + subject.name();
        };
    String faces =
        subject.faces().size() < 2 ? "" : " (" + String.join(", ", subject.faces()) + ")";
    return "\n" + wrapped(PlainDisplay.withoutControls(title + faces), 0, 0);
  }

  /** One that has passed or failed; those that were skipped are told together. */
  static String finding(Finding finding) {
    boolean fail = finding.result() == Finding.Result.FAIL;
    String name = finding.id();
    String begin = "  %-4s  %s".formatted(fail ? "FAIL" : "ok", name);
    String detail = PlainDisplay.withoutControls(finding.detail());
    StringBuilder text = new StringBuilder();
    if (name.length() <= NAME) {
      String padded = begin + " ".repeat(INDENT - begin.length());
      text.append(padded).append(wrapped(detail, INDENT, INDENT).stripLeading());
    } else {
      text.append(begin).append('\n').append(wrapped(detail, INDENT, INDENT));
    }
    if (fail && !finding.remedy().isEmpty()) {
      text.append(
          wrapped("→ " + PlainDisplay.withoutControls(finding.remedy()), INDENT, INDENT + 2));
    }
    return text.toString();
  }

  /** What was skipped, by the reason. */
  static String skipped(List<Finding> findings) {
    Map<String, List<String>> reasons = new LinkedHashMap<>();
    findings.stream()
        .filter(each -> each.result() == Finding.Result.SKIP)
        .forEach(each ->
            reasons.computeIfAbsent(each.detail(), any -> new ArrayList<>()).add(each.id()));
    StringBuilder text = new StringBuilder();
    reasons.forEach((reason, ids) ->
        text.append(
            "  –     "
                + wrapped(
                        "%s: %s"
                            .formatted(
                                String.join(", ", together(ids)),
                                PlainDisplay.withoutControls(reason)),
                        SKIPPED,
                        SKIPPED)
                    .stripLeading()));
    return text.toString();
  }

  /** Names with one for all that begin with the same two parts, such as those of an encoder. */
  private static List<String> together(List<String> ids) {
    Map<String, Long> beginnings =
        ids.stream()
            .collect(
                Collectors.groupingBy(
                    DoctorText::beginning, LinkedHashMap::new, Collectors.counting()));
    return ids.stream()
        .map(id -> beginnings.getOrDefault(beginning(id), 1L) > 1 ? beginning(id) + ".*" : id)
        .distinct()
        .toList();
  }

  private static String beginning(String id) {
    String[] parts = id.split("\\.", 3);
    return parts.length < 3 ? id : parts[0] + "." + parts[1];
  }

  static String summary(Checkup checkup) {
    long failed = checkup.count(Finding.Result.FAIL);
    boolean card = checkup.plan().stream().anyMatch(each -> each.key().isPresent());
    String counted =
        "%d well, %d to do, %d not looked at."
            .formatted(
                checkup.count(Finding.Result.PASS), failed, checkup.count(Finding.Result.SKIP));
    StringBuilder text = new StringBuilder("\n").append(counted).append('\n');
    if (!card) {
      text.append(
          wrapped(
              "No card that encodes was found: the processor's lanes do all the work. That is no"
                  + " fault unless there is one in this machine.",
              0,
              0));
    }
    for (Profile.Proven each : checkup.profile().cards()) {
      text.append(wrapped(proven(each), 0, 2));
    }
    checkup
        .profile()
        .hostSessions()
        .ifPresent(sessions ->
            text.append(
                "All cards together have at most %d encoder sessions.\n".formatted(sessions)));
    return text.toString();
  }

  private static String proven(Profile.Proven card) {
    String proven = codecs(card, true);
    String impossible = codecs(card, false);
    return "Proven of %s: %s%s%s%s"
        .formatted(
            card.key().pciAddress(),
            proven.isEmpty() ? "no codec" : proven,
            impossible.isEmpty() ? "" : "; does not encode " + impossible,
            card.encodeSlots().isPresent()
                ? "; %d encode slots".formatted(card.encodeSlots().getAsInt())
                : "",
            card.sessions().isPresent()
                ? "; at most %d sessions".formatted(card.sessions().getAsInt())
                : "");
  }

  /** Codecs with their depths, such as {@code hevc of 8 and 10 bits}. */
  private static String codecs(Profile.Proven card, boolean proven) {
    Map<String, String> depths = new LinkedHashMap<>();
    card.codecs().stream()
        .filter(each -> each.proven() == proven)
        .forEach(each ->
            depths.merge(
                each.codec(), String.valueOf(each.depth()), (one, more) -> one + " and " + more));
    return depths.entrySet().stream()
        .map(each -> "%s of %s bits".formatted(each.getKey(), each.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** A text in lines of the usual width. */
  static String wrapped(String text, int first, int next) {
    StringBuilder lines = new StringBuilder();
    StringBuilder line = new StringBuilder(" ".repeat(first));
    boolean begun = false;
    for (String word : text.strip().split(" +", -1)) {
      if (begun && line.length() + 1 + word.length() > WIDTH) {
        lines.append(line.toString().stripTrailing()).append('\n');
        line = new StringBuilder(" ".repeat(next));
        begun = false;
      }
      line.append(begun ? " " : "").append(word);
      begun = true;
    }
    return lines.append(line).append('\n').toString();
  }
}
