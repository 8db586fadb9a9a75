package dev.fairlead.compute;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What the compute API and its seam may know. */
class RoomsTest {
  private static final JavaClasses COMPUTE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.fairlead.compute");

  @Test
  void theSeamDoesNotKnowWhatStandsAboveIt() {
    noClasses()
        .that()
        .resideInAPackage("dev.fairlead.compute.driver")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.fairlead.compute")
        .check(COMPUTE);
  }

  @Test
  void knowsTheCoreAndTheJdkOnlyAndPrintsNothing() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.fairlead.compute..",
            "dev.fairlead.device",
            "dev.fairlead.policy",
            "java..",
            "org.jspecify..")
        .check(COMPUTE);
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(COMPUTE);
  }
}
