package dev.fairlead.simulator.sharing;

import dev.fairlead.range.Splitter;
import java.util.List;

/** The ways to share a range out. */
public enum SharingRule {
  STEALING("stealing"),
  UNIFORM("split-uniform"),
  WEIGHTED("split-weighted"),
  FACTORING("split-factoring");

  private final String text;

  SharingRule(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  Portions share(int units, List<Double> speeds) {
    return switch (this) {
      case STEALING -> Portions.stolen(units, speeds);
      case UNIFORM -> Portions.split(Splitter.uniform(), units, speeds.size());
      case WEIGHTED -> Portions.split(Splitter.weighted(speeds), units, speeds.size());
      case FACTORING -> Portions.split(Splitter.factoring(speeds, 1), units, speeds.size());
    };
  }
}
