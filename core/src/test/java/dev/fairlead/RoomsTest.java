package dev.fairlead;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which rooms there are, what each may know, and how large a source file may grow. */
class RoomsTest {
  /** A room imports only rooms before it in this list. */
  private static final List<String> ROOMS =
      List.of(
          "range",
          "device",
          "stats",
          "policy",
          "health",
          "event",
          "lease",
          "notify",
          "shared",
          "ledger",
          "run",
          "placing",
          "pool",
          "outcome",
          "dispatch",
          "units");

  /** What a pool is made of: public for each other and for the pool, and for nothing else. */
  private static final List<String> INTERNAL =
      List.of("notify", "shared", "ledger", "run", "placing");

  /** The rooms that may use internal ones. */
  private static final List<String> USERS_OF_INTERNAL =
      List.of("notify", "shared", "ledger", "run", "placing", "pool");

  private static final int MOST_LINES = 400;

  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.fairlead");

  @Test
  void everyClassLivesInARoomAndNoRoomIsEmpty() {
    assertThat(CORE.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
        .containsExactlyInAnyOrderElementsOf(ROOMS.stream().map(RoomsTest::packageOf).toList());
  }

  @Test
  void aRoomKnowsOnlyTheRoomsBeforeIt() {
    for (int room = 0; room < ROOMS.size() - 1; room++) {
      String[] later = packagesOf(ROOMS.subList(room + 1, ROOMS.size()));
      noClasses()
          .that()
          .resideInAPackage(packageOf(ROOMS.get(room)))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(later)
          .check(CORE);
    }
  }

  @Test
  void dispatchAndUnitsKnowNothingOfEachOther() {
    noClasses()
        .that()
        .resideInAPackage(packageOf("units"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(packageOf("dispatch"))
        .check(CORE);
  }

  @Test
  void onlyThePoolUsesInternalRooms() {
    noClasses()
        .that()
        .resideOutsideOfPackages(packagesOf(USERS_OF_INTERNAL))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packagesOf(INTERNAL))
        .check(CORE);
  }

  @Test
  void noTypeThatCallersSeeExposesAnInternalOne() {
    List<String> internal = List.of(packagesOf(INTERNAL));
    List<JavaClass> seen =
        CORE.stream()
            .filter(type -> !internal.contains(type.getPackageName()) && isSeen(type))
            .toList();
    assertThat(seen)
        .extracting(JavaClass::getSimpleName)
        .contains("DevicePool", "Lease", "PoolClosed");
    Set<String> exposed = new TreeSet<>();
    for (JavaClass type : seen) {
      exposedBy(type)
          .filter(used -> internal.contains(used.getPackageName()))
          .forEach(used -> exposed.add(type.getSimpleName() + " → " + used.getSimpleName()));
    }
    assertThat(exposed).as("internal types in what callers see").isEmpty();
  }

  /** Callers outside of its room can name it. */
  private static boolean isSeen(JavaClass type) {
    return isVisible(type.getModifiers())
        && type.getEnclosingClass().map(RoomsTest::isSeen).orElse(true);
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  /** All types that a type and its visible members name. */
  private static Stream<JavaClass> exposedBy(JavaClass type) {
    Stream<JavaClass> parents =
        Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream());
    Stream<JavaClass> members =
        type.getMembers().stream()
            .filter(member -> isVisible(member.getModifiers()))
            .flatMap(member -> member.getAllInvolvedRawTypes().stream());
    return Stream.concat(parents, members).map(JavaClass::getBaseComponentType);
  }

  @Test
  void noPackagesFormACycle() {
    slices().matching("dev.fairlead.(**)").should().beFreeOfCycles().check(CORE);
  }

  @Test
  void coreKnowsTheJdkAndItsNullAnnotationsOnly() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("dev.fairlead..", "java..", "org.jspecify..")
        .check(CORE);
  }

  @Test
  void noClassIsNamedForWhatItIsNot() {
    noClasses().should().haveNameMatching(".*(Utils?|Helper|Manager|Impl|Common)").check(CORE);
  }

  @Test
  void coreNeitherPrintsNorExits() {
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CORE);
    noClasses()
        .should()
        .callMethod(System.class, "exit", int.class)
        .orShould()
        .callMethod(Runtime.class, "exit", int.class)
        .orShould()
        .callMethod(Runtime.class, "halt", int.class)
        .check(CORE);
  }

  @Test
  void noSourceFileOfTheRepositoryIsTooLong() throws IOException {
    Path repository = Path.of("").toAbsolutePath().getParent();
    assertThat(repository.resolve("verify")).as("tests run in a module's directory").exists();
    Map<Path, Long> tooLong = new TreeMap<>();
    List<Path> sources = sources(repository);
    for (Path source : sources) {
      long lines = lines(source);
      if (lines > MOST_LINES) {
        tooLong.put(repository.relativize(source), lines);
      }
    }
    assertThat(sources).isNotEmpty();
    assertThat(tooLong).as("source files of more than %d lines", MOST_LINES).isEmpty();
  }

  private static List<Path> sources(Path repository) throws IOException {
    try (var files = Files.walk(repository)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !isBuilt(repository.relativize(file)))
          .toList();
    }
  }

  private static boolean isBuilt(Path file) {
    for (Path name : file) {
      if (name.toString().equals("target")) {
        return true;
      }
    }
    return false;
  }

  private static long lines(Path source) {
    try (var lines = Files.lines(source)) {
      return lines.count();
    } catch (IOException failure) {
      throw new UncheckedIOException(source + " cannot be read", failure);
    }
  }

  private static String[] packagesOf(List<String> rooms) {
    return rooms.stream().map(RoomsTest::packageOf).toArray(String[]::new);
  }

  private static String packageOf(String room) {
    return "dev.fairlead." + room;
  }
}
