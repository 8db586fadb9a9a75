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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which rooms the media module has, in which process each lives, and what each may know. */
class RoomsTest {
  /** Values that both processes have, and what makes them. */
  private static final List<String> SHARED =
      List.of("source", "plan", "codec", "settings", "store", "records", "wire");

  /** Rooms of the worker process, the only ones that know FFmpeg. */
  private static final List<String> WORKER =
      List.of("av", "inspect", "decode", "chunk", "scale", "encode", "trial", "worker");

  /** Rooms of the process that people start. */
  private static final List<String> PARENT =
      List.of(
          "supervise",
          "choice",
          "pack",
          "job",
          "json",
          "progress",
          "prepare",
          "output",
          "host",
          "ladder",
          "local",
          "report");

  private static final JavaClasses MEDIA =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.fairlead.media");

  @Test
  void everyClassLivesInARoomAndNoRoomIsEmpty() {
    assertThat(MEDIA.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(
            packages(Stream.of(SHARED, WORKER, PARENT).flatMap(List::stream).toList()));
  }

  /** A room imports only rooms before it in its own list, and shared ones. */
  @Test
  void aRoomKnowsOnlyTheRoomsBeforeIt() {
    requireOrder(Stream.concat(SHARED.stream(), WORKER.stream()).toList());
    requireOrder(Stream.concat(SHARED.stream(), PARENT.stream()).toList());
  }

  private static void requireOrder(List<String> rooms) {
    for (int room = 0; room < rooms.size() - 1; room++) {
      noClasses()
          .that()
          .resideInAPackage(packageOf(rooms.get(room)))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(packages(rooms.subList(room + 1, rooms.size())))
          .check(MEDIA);
    }
  }

  /** All that passes between the processes is in the shared rooms. */
  @Test
  void parentAndWorkerDoNotKnowEachOther() {
    noClasses()
        .that()
        .resideInAnyPackage(packages(PARENT))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages(WORKER))
        .check(MEDIA);
    noClasses()
        .that()
        .resideInAnyPackage(packages(WORKER))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages(PARENT))
        .check(MEDIA);
  }

  /** One half of a ladder ends in committed chunks, the other begins with them. */
  @Test
  void theHalvesOfALadderDoNotKnowEachOther() {
    noClasses()
        .that()
        .resideInAPackage(packageOf("ladder"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages(List.of("output", "pack")))
        .check(MEDIA);
    noClasses()
        .that()
        .resideInAPackage(packageOf("output"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages(List.of("ladder", "prepare", "supervise")))
        .check(MEDIA);
  }

  @Test
  void noPackagesFormACycle() {
    slices().matching("dev.fairlead.media.(*)..").should().beFreeOfCycles().check(MEDIA);
  }

  /** The process that people start must outlive a crash in native code, so it loads none. */
  @Test
  void onlyTheWorkerKnowsCodecs() {
    noClasses()
        .that()
        .resideOutsideOfPackages(packages(WORKER))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.bytedeco..")
        .check(MEDIA);
  }

  @Test
  void nothingPrints() {
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(MEDIA);
  }

  private static String[] packages(List<String> rooms) {
    return rooms.stream().map(RoomsTest::packageOf).toArray(String[]::new);
  }

  private static String packageOf(String room) {
    return "dev.fairlead.media." + room;
  }
}
