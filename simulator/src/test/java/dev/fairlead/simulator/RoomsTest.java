package dev.fairlead.simulator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which rooms the simulator has, and what each may know. */
class RoomsTest {
  private static final List<String> ROOMS =
      List.of("fleet", "workload", "engine", "setting", "rule", "sharing", "report");

  private static final JavaClasses SIMULATOR =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.fairlead.simulator");

  @Test
  void aRoomKnowsOnlyTheRoomsBeforeIt() {
    for (int room = 0; room < ROOMS.size() - 1; room++) {
      String[] later =
          ROOMS.subList(room + 1, ROOMS.size()).stream()
              .map(each -> "dev.fairlead.simulator." + each)
              .toArray(String[]::new);
      noClasses()
          .that()
          .resideInAPackage("dev.fairlead.simulator." + ROOMS.get(room))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(later)
          .check(SIMULATOR);
    }
  }

  @Test
  void knowsTheCoreAndTheJdkOnlyAndPrintsNothing() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("dev.fairlead..", "java..", "org.jspecify..")
        .check(SIMULATOR);
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(SIMULATOR);
  }
}
