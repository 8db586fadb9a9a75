package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A knot is a set of classes of one package that all reach each other: whoever wants to understand
 * one of them has to read them all. So there are none of more than a handful.
 */
class KnotsTest {
  private static final int MOST = 5;

  /** One lifetime by design: everything that was made in a context lives and dies with it. */
  private static final String COMPUTE = "dev.fairlead.compute";

  private static final int MOST_OF_COMPUTE = 14;

  /**
   * Of each class, those of its package that it depends on; nested classes count as their outer.
   */
  private final Map<JavaClass, Set<JavaClass>> arrows = new HashMap<>();

  @Test
  void noPackageHasALargeKnot() {
    new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages("dev.fairlead")
        .forEach(this::addArrows);
    assertThat(arrows.keySet().stream().map(JavaClass::getPackageName).distinct())
        .contains("dev.fairlead.pool", "dev.fairlead.media.job", COMPUTE, "dev.fairlead.cli");
    Map<String, Set<String>> large = new TreeMap<>();
    for (JavaClass each : List.copyOf(arrows.keySet())) {
      Set<String> knot = knot(each);
      int most = each.getPackageName().equals(COMPUTE) ? MOST_OF_COMPUTE : MOST;
      if (knot.size() > most) {
        large.put(each.getPackageName(), knot);
      }
    }
    assertThat(large).as("knots of more than %d classes", MOST).isEmpty();
  }

  private void addArrows(JavaClass each) {
    JavaClass from = outermost(each);
    Set<JavaClass> targets = arrows.computeIfAbsent(from, _ -> new HashSet<>());
    for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
      JavaClass to = outermost(dependency.getTargetClass());
      if (!to.equals(from) && to.getPackageName().equals(from.getPackageName())) {
        targets.add(to);
      }
    }
  }

  private static JavaClass outermost(JavaClass each) {
    JavaClass outer = each.isArray() ? each.getBaseComponentType() : each;
    while (outer.getEnclosingClass().isPresent()) {
      outer = outer.getEnclosingClass().get();
    }
    return outer;
  }

  private Set<String> knot(JavaClass from) {
    return reachable(from).stream()
        .filter(other -> reachable(other).contains(from))
        .map(JavaClass::getSimpleName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Set<JavaClass> reachable(JavaClass from) {
    Set<JavaClass> seen = new HashSet<>();
    List<JavaClass> open = new ArrayList<>(arrows.getOrDefault(from, Set.of()));
    while (!open.isEmpty()) {
      JavaClass next = open.removeLast();
      if (seen.add(next)) {
        open.addAll(arrows.getOrDefault(next, Set.of()));
      }
    }
    return seen;
  }
}
