package dev.fairlead.media;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which rooms the media module has, and what each may know. */
class RoomsTest {
  /** A room imports only rooms before it in this list. */
  private static final List<String> ROOMS =
      List.of(
          "av", "probe", "plan", "store", "decode", "chunk", "scale", "encode", "pack", "trial",
          "worker", "job");

  private static final JavaClasses MEDIA =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.fairlead.media");

  @Test
  void everyClassLivesInARoomAndNoRoomIsEmpty() {
    assertThat(MEDIA.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
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
          .check(MEDIA);
    }
  }

  @Test
  void noPackagesFormACycle() {
    slices().matching("dev.fairlead.media.(*)..").should().beFreeOfCycles().check(MEDIA);
  }

  /** The process that people start must outlive a crash in native code, so it loads none. */
  @Test
  void theParentNeverLoadsCodecs() {
    noClasses()
        .that()
        .resideInAnyPackage(
            packageOf("plan"), packageOf("store"), packageOf("pack"), packageOf("job"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.bytedeco..", packageOf("av"))
        .check(MEDIA);
  }

  @Test
  void nothingPrints() {
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(MEDIA);
  }

  private static String packageOf(String room) {
    return "dev.fairlead.media." + room;
  }
}
