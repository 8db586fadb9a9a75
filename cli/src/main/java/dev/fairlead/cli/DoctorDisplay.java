package dev.fairlead.cli;

import dev.fairlead.doctor.check.Finding;
import dev.fairlead.doctor.run.Doctor;
import dev.fairlead.doctor.run.Planned;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Shows findings as they come, and on a terminal what is looked at meanwhile. */
final class DoctorDisplay implements Doctor.Listener, AutoCloseable {
  private static final String ERASE = "\r\u001b[K";

  private final Optional<PrintWriter> out;
  private final PrintWriter err;
  private final boolean live;
  private final StringBuilder text = new StringBuilder();
  private final List<Finding> ofSubject = new ArrayList<>();
  private @Nullable String subject;
  private int all;
  private int done;

  /** Without a place for results, as where they are printed as JSON, only progress is shown. */
  DoctorDisplay(Optional<PrintWriter> out, PrintWriter err) {
    this.out = out;
    this.err = err;
    this.live = Displays.isTerminal();
    if (live) {
      err.print("Looking for devices…");
      err.flush();
    }
  }

  @Override
  public void planned(List<Planned> plan) {
    all = plan.stream().mapToInt(each -> each.checks().size()).sum();
  }

  @Override
  public void began(Planned looked, String check) {
    if (live) {
      String label = looked.subject().isEmpty() ? "" : looked.subject() + " ";
      err.print("%s[%d/%d] %s%s…".formatted(ERASE, done + 1, all, label, check));
      err.flush();
    }
  }

  @Override
  public void found(Planned looked, Finding finding) {
    done++;
    if (!looked.subject().equals(subject)) {
      endOfSubject();
      subject = looked.subject();
      print(DoctorText.heading(looked));
    }
    ofSubject.add(finding);
    if (finding.result() != Finding.Result.SKIP) {
      print(DoctorText.finding(finding));
    }
  }

  private void endOfSubject() {
    print(DoctorText.skipped(ofSubject));
    ofSubject.clear();
  }

  private void print(String lines) {
    text.append(lines);
    if (out.isPresent()) {
      if (live) {
        err.print(ERASE);
        err.flush();
      }
      out.get().print(lines);
      out.get().flush();
    }
  }

  /** All that was shown so far. */
  String text() {
    return text.toString();
  }

  @Override
  public void close() {
    endOfSubject();
    if (live) {
      err.print(ERASE);
      err.flush();
    }
  }
}
