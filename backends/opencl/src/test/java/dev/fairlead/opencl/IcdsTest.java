package dev.fairlead.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Discovery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drivers that are broken, made with gcc, beside the good ones of this machine. */
class IcdsTest {
  private static final Path REGISTERED = Path.of("/etc/OpenCL/vendors/pocl.icd");
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir private Path folder;

  private Path vendors() throws IOException {
    return Files.createDirectories(folder.resolve("vendors"));
  }

  private void registerPocl() throws IOException {
    Files.copy(REGISTERED, vendors().resolve("pocl.icd"));
  }

  /** Registers a driver that runs this when it is loaded. */
  private void register(String name, String statement) throws Exception {
    registerSource(
        name,
        "#include <unistd.h>\n__attribute__((constructor)) static void begin(void) { %s }\n"
            .formatted(statement));
  }

  private void registerSource(String name, String text) throws Exception {
    Path source = Files.writeString(folder.resolve(name + ".c"), text);
    Path library = folder.resolve("lib" + name + ".so");
    Process gcc =
        new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", library.toString(), source.toString())
            .inheritIO()
            .start();
    assertThat(gcc.waitFor(60, TimeUnit.SECONDS) && gcc.exitValue() == 0).as("gcc").isTrue();
    Files.writeString(vendors().resolve(name + ".icd"), library + "\n");
  }

  private Discovery discover(Duration patience) throws IOException {
    return new OpenClProvider(new Icds(vendors(), patience)).discover(List.of());
  }

  private static void hasOneProblem(Discovery discovery, String... parts) {
    assertThat(discovery.problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.toString()).contains(parts));
  }

  @Test
  void withoutADriverThatIsTheProblem() throws IOException {
    Discovery discovery = discover(LONG);

    assertThat(discovery.devices()).isEmpty();
    hasOneProblem(discovery, "opencl", "no driver is registered in " + vendors());
  }

  @Test
  void withoutALoaderOfDriversThatIsTheProblem() throws IOException {
    registerPocl();
    System.setProperty(Cl.LIBRARY, "/nowhere/libOpenCL.so.1");
    try {
      Discovery discovery = discover(LONG);

      assertThat(discovery.devices()).isEmpty();
      hasOneProblem(discovery, "/nowhere/libOpenCL.so.1", "No such file");
    } finally {
      System.clearProperty(Cl.LIBRARY);
    }
  }

  @Test
  void aDriverThatCrashesTakesNobodyWithIt() throws Exception {
    registerPocl();
    register("crash", "*(volatile int *) 0 = 1;");

    Discovery discovery = discover(LONG);

    assertThat(discovery.devices()).isNotEmpty();
    hasOneProblem(discovery, "crash.icd", "crashed when asked for its devices");
  }

  @Test
  void aDriverThatCrashesAloneLeavesNoDevices() throws Exception {
    register("crash", "*(volatile int *) 0 = 1;");

    Discovery discovery = discover(LONG);

    assertThat(discovery.devices()).isEmpty();
    hasOneProblem(discovery, "crash.icd", "crashed when asked for its devices");
  }

  @Test
  void aDriverThatCrashedOnceIsAskedAgain() throws Exception {
    Path mark = folder.resolve("mark");
    register("once", "if (!symlink(\"nowhere\", \"%s\")) *(volatile int *) 0 = 1;".formatted(mark));

    Discovery discovery = discover(LONG);

    assertThat(mark).isSymbolicLink();
    assertThat(discovery.problems())
        .extracting(Discovery.Problem::reason)
        .noneMatch(reason -> reason.contains("crashed"));
  }

  @Test
  void aDriverThatExitsTheProcessIsFoundOut() throws Exception {
    registerPocl();
    register("leave", "_exit(0);");

    hasOneProblem(discover(LONG), "leave.icd", "crashed", "exit code 0");
  }

  @Test
  void aDriverThatHangsIsGivenUp() throws Exception {
    register("hang", "for (;;) pause();");

    hasOneProblem(
        discover(Duration.ofSeconds(2)), "hang.icd", "did not list its devices within 2 s");
  }

  @Test
  void aLibraryThatIsMissingIsNamed() throws Exception {
    registerPocl();
    Files.writeString(vendors().resolve("gone.icd"), "/nowhere/libgone.so\n");

    Discovery discovery = discover(LONG);

    assertThat(discovery.devices()).isNotEmpty();
    hasOneProblem(discovery, "gone.icd", "/nowhere/libgone.so", "No such file");
  }

  /**
   * A loader that takes the variable for a directory and nothing else, as that of Khronos does: the
   * one of this machine, which also takes files, behind a library that hides files from it.
   */
  private Path loaderOfDirectories() throws Exception {
    Path source =
        Files.writeString(
            folder.resolve("directories.c"),
            """
            #include <stdlib.h>
            #include <sys/stat.h>
            __attribute__((constructor)) static void begin(void) {
              struct stat what;
              const char *named = getenv("OCL_ICD_VENDORS");
              if (named != NULL && (stat(named, &what) != 0 || !S_ISDIR(what.st_mode)))
                setenv("OCL_ICD_VENDORS", "/nowhere/", 1);
            }
            """);
    Path library = folder.resolve("libDirectories.so");
    Process gcc =
        new ProcessBuilder(
                "gcc",
                "-shared",
                "-fPIC",
                "-Wl,--no-as-needed",
                "-o",
                library.toString(),
                source.toString(),
                "-l:libOpenCL.so.1")
            .inheritIO()
            .start();
    assertThat(gcc.waitFor(60, TimeUnit.SECONDS) && gcc.exitValue() == 0).as("gcc").isTrue();
    return library;
  }

  @Test
  void aBrokenDriverIsToldApartWhereTheLoaderTakesOnlyDirectories() throws Exception {
    registerPocl();
    // It can be loaded, and crashes when the loader asks it for its platforms.
    registerSource(
        "crash",
        "void *clGetExtensionFunctionAddress(const char *name) {"
            + " *(volatile int *) 0 = name != 0; return 0; }\n");
    System.setProperty(Cl.LIBRARY, loaderOfDirectories().toString());
    try {
      Discovery discovery = discover(LONG);

      assertThat(discovery.devices()).isNotEmpty();
      hasOneProblem(discovery, "crash.icd", "crashed when asked for its devices");
    } finally {
      System.clearProperty(Cl.LIBRARY);
    }
  }

  @Test
  void aRegistrationThatIsNamedItselfIsFoundWhereTheLoaderTakesOnlyDirectories() throws Exception {
    registerPocl();
    System.setProperty(Cl.LIBRARY, loaderOfDirectories().toString());
    try {
      Icds.Look look = new Icds(vendors().resolve("pocl.icd"), LONG).look();

      assertThat(look.problems()).isEmpty();
      assertThat(look.devices()).isNotEmpty();
      assertThat(look.excluded()).as("set apart when a device is opened, too").isTrue();
    } finally {
      System.clearProperty(Cl.LIBRARY);
    }
  }

  /** What is loaded into a process stays there, so that this is tried in another one. */
  @Test
  void aDeviceIsOpenedWithoutTheBrokenDriverBesideIt() throws Exception {
    registerPocl();
    register("crash", "*(volatile int *) 0 = 1;");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+SuppressFatalErrorMessage",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            ProbesFirst.class.getName());
    builder.environment().put(Icds.VARIABLE, vendors().toString());
    Path output = folder.resolve("output.txt");
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();

    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
  }

  /** Finds the first device of this machine, opens and probes it. */
  static final class ProbesFirst {
    private ProbesFirst() {}

    public static void main(String[] none) {
      OpenClProvider provider = new OpenClProvider();
      try (var context = provider.open(provider.discover(List.of()).devices().getFirst())) {
        context.bind();
        context.probe();
      }
    }
  }
}
