package dev.fairlead.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The core's internal rooms are public only for each other and for the pool. The core checks that
 * for its own rooms; here it is checked for those of all modules.
 */
class InternalRoomsTest {
  private static final String POOL = "dev.fairlead.pool";
  private static final String[] INTERNAL = {
    "dev.fairlead.notify",
    "dev.fairlead.shared",
    "dev.fairlead.ledger",
    "dev.fairlead.run",
    "dev.fairlead.placing"
  };

  @Test
  void noOtherModuleUsesThem() {
    JavaClasses all =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.fairlead");
    assertThat(all.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
        .contains(INTERNAL)
        .contains(POOL, "dev.fairlead.media.job", "dev.fairlead.cli");
    noClasses()
        .that()
        .resideOutsideOfPackages(
            Stream.concat(Stream.of(INTERNAL), Stream.of(POOL)).toArray(String[]::new))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(INTERNAL)
        .check(all);
  }
}
