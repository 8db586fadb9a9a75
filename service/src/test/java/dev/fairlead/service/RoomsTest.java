package dev.fairlead.service;

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

/** Which rooms the service has, and what each may know. */
class RoomsTest {
  /** A room imports only rooms before it. */
  private static final List<String> ROOMS =
      List.of(
          "file", "index", "http", "access", "device", "upload", "events", "trace", "tenant",
          "webhook", "job", "page", "client", "metrics", "serve");

  private static final JavaClasses SERVICE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.fairlead.service");

  @Test
  void everyClassLivesInARoom() {
    assertThat(SERVICE.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(ROOMS.stream().map(RoomsTest::packageOf).toArray(String[]::new));
  }

  @Test
  void aRoomKnowsOnlyTheRoomsBeforeIt() {
    for (int room = 0; room < ROOMS.size() - 1; room++) {
      noClasses()
          .that()
          .resideInAPackage(packageOf(ROOMS.get(room)))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              ROOMS.subList(room + 1, ROOMS.size()).stream()
                  .map(RoomsTest::packageOf)
                  .toArray(String[]::new))
          .check(SERVICE);
    }
  }

  /** The HTTP library can be changed in one room. */
  @Test
  void onlyTheRoomOfHttpKnowsJetty() {
    noClasses()
        .that()
        .resideOutsideOfPackage(packageOf("http"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.eclipse.jetty..")
        .check(SERVICE);
  }

  /** The store of the index can be changed in one room. */
  @Test
  void onlyTheRoomOfTheIndexKnowsSql() {
    noClasses()
        .that()
        .resideOutsideOfPackage(packageOf("index"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "org.sqlite..")
        .check(SERVICE);
  }

  @Test
  void nothingPrints() {
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(SERVICE);
  }

  private static String packageOf(String room) {
    return "dev.fairlead.service." + room;
  }
}
