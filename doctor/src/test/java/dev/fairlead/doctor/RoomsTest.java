package dev.fairlead.doctor;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which rooms the doctor module has, and what each may know. */
class RoomsTest {
  /** A room imports only rooms before it in this list. */
  private static final List<String> ROOMS = List.of("host", "check", "profile", "run");

  private static final JavaClasses DOCTOR =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.fairlead.doctor");

  @Test
  void everyClassLivesInARoomAndNoRoomIsEmpty() {
    assertThat(DOCTOR.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
        .containsExactlyInAnyOrderElementsOf(ROOMS.stream().map(RoomsTest::packageOf).toList());
  }

  @Test
  void aRoomKnowsOnlyTheRoomsBeforeIt() {
    for (int room = 0; room < ROOMS.size() - 1; room++) {
      String[] later =
          ROOMS.subList(room + 1, ROOMS.size()).stream()
              .map(RoomsTest::packageOf)
              .toArray(String[]::new);
      noClasses()
          .that()
          .resideInAPackage(packageOf(ROOMS.get(room)))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(later)
          .check(DOCTOR);
    }
  }

  @Test
  void nothingPrints() {
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(DOCTOR);
  }

  private static String packageOf(String room) {
    return "dev.fairlead.doctor." + room;
  }
}
