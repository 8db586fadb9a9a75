package dev.fairlead.nativecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BindingTest {
  @TempDir private Path folder;

  private record Functions(MethodHandle abs) {
    static Functions of(Symbols symbols) {
      return new Functions(symbols.function("abs", C.INT, C.INT));
    }
  }

  @Test
  void functionsOfALibraryCanBeCalled() {
    Binding<Functions> binding = Binding.of(List.of("libc.so.6"), Functions::of);

    assertThat(binding).isInstanceOf(Binding.Bound.class);
    MethodHandle abs = ((Binding.Bound<Functions>) binding).functions().abs();
    assertThat(Downcall.number(() -> (int) abs.invokeExact(-7))).isEqualTo(7);
  }

  @Test
  void aLibraryThatIsMissingIsAValueWithTheReasonOfTheSystem() {
    Binding<Functions> binding = Binding.of(List.of("libnone.so.9"), Functions::of);

    assertThat(binding).isInstanceOf(Binding.NoLibrary.class);
    assertThat(((Binding.Unbound<Functions>) binding).reason())
        .contains("libnone.so.9")
        .contains("No such file");
    assertThat(((Binding.NoLibrary<Functions>) binding).missing()).isTrue();
  }

  @Test
  void aPathThatIsNotThereIsMissing() {
    assertThat(Binding.of(List.of(folder.resolve("libnone.so").toString()), Functions::of))
        .isInstanceOfSatisfying(
            Binding.NoLibrary.class, none -> assertThat(none.missing()).isTrue());
  }

  @Test
  void aLibraryThatLacksWhatItNeedsIsNotMissing() throws Exception {
    Path needed = compile("libneeded.so");
    Path lacking = compile("liblacking.so", "-Wl,--no-as-needed", needed.toString());
    Files.delete(needed);

    assertThat(Binding.of(List.of(lacking.toString()), Functions::of))
        .isInstanceOfSatisfying(
            Binding.NoLibrary.class,
            none -> {
              assertThat(none.missing()).isFalse();
              assertThat(none.reason()).contains("libneeded.so");
            });
  }

  private Path compile(String name, String... options) throws Exception {
    Path source = Files.writeString(folder.resolve(name + ".c"), "int number;\n");
    Path library = folder.resolve(name);
    List<String> command =
        new ArrayList<>(List.of("gcc", "-shared", "-fPIC", "-o", library.toString()));
    command.add(source.toString());
    command.addAll(List.of(options));
    Process gcc = new ProcessBuilder(command).inheritIO().start();
    assertThat(gcc.waitFor(60, TimeUnit.SECONDS) && gcc.exitValue() == 0).as("gcc").isTrue();
    return library;
  }

  @Test
  void whatIsMissingIsKnownInEveryLanguage() {
    String german = ": Kann die Shared-Object-Datei nicht öffnen: Datei nicht gefunden";
    assertThat(Loader.isMissing("libcuda.so.1", "libcuda.so.1" + german, 2)).isTrue();
    assertThat(Loader.isMissing("libcuda.so.1", "libneeded.so" + german, 2)).isFalse();
    assertThat(Loader.isMissing("libcuda.so.1", "/lib/libcuda.so.1: ungültiger ELF-Header", 2))
        .isFalse();
    assertThat(Loader.isMissing("libcuda.so.1", "libcuda.so.1: nicht genug Speicher", 12))
        .isFalse();
  }

  @Test
  void aFileThatIsNoLibraryIsAValueWithTheReasonOfTheSystem() throws IOException {
    Path text = Files.writeString(folder.resolve("libtext.so"), "no library");

    Binding<Functions> binding = Binding.of(List.of(text.toString()), Functions::of);

    assertThat(((Binding.Unbound<Functions>) binding).reason())
        .contains(text.toString())
        .containsAnyOf("file too short", "invalid ELF header");
    assertThat(((Binding.NoLibrary<Functions>) binding).missing()).isFalse();
  }

  @Test
  void theNextNameIsTriedWhereTheFirstIsMissing() {
    assertThat(Binding.of(List.of("libnone.so.9", "libc.so.6"), Functions::of))
        .isInstanceOfSatisfying(
            Binding.Bound.class, bound -> assertThat(bound.library()).isEqualTo("libc.so.6"));
  }

  @Test
  void aFunctionThatIsMissingIsAValueThatNamesIt() {
    Binding<MethodHandle> binding =
        Binding.of(List.of("libc.so.6"), symbols -> symbols.function("cuNone_v2", C.INT));

    assertThat(binding).isEqualTo(new Binding.NoSymbol<MethodHandle>("libc.so.6", "cuNone_v2"));
    assertThat(((Binding.Unbound<MethodHandle>) binding).reason())
        .isEqualTo("libc.so.6 has no function cuNone_v2");
  }

  @Test
  void anOptionalFunctionMayBeMissing() {
    Binding<List<Boolean>> binding =
        Binding.of(
            List.of("libc.so.6"),
            symbols ->
                List.of(
                    symbols.optional("abs", C.INT, C.INT).isPresent(),
                    symbols.optional("cuNone_v2", C.INT).isPresent()));

    assertThat(binding).isEqualTo(new Binding.Bound<>("libc.so.6", List.of(true, false)));
  }

  @Test
  void textEndsAtTheFirstZeroOrWithItsBuffer() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocateFrom("Fairlead");
      assertThat(C.text(buffer)).isEqualTo("Fairlead");
      assertThat(C.text(buffer.asSlice(0, 4))).isEqualTo("Fair");
      assertThat(C.textAt(buffer, 100)).isEqualTo("Fairlead");
      assertThat(C.textAt(MemorySegment.NULL, 100)).isEmpty();
      byte[] foreign = "é".getBytes(StandardCharsets.ISO_8859_1);
      assertThat(C.text(MemorySegment.ofArray(foreign))).isEqualTo("\ufffd");
    }
  }

  @Test
  void whatGoesWrongOnTheJavaSideOfACallComesOut() {
    assertThatThrownBy(() ->
            Downcall.number(() -> {
              throw new IllegalArgumentException("wrong");
            }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() ->
            Downcall.number(() -> {
              throw new IOException("checked");
            }))
        .isInstanceOf(IllegalStateException.class)
        .hasCauseInstanceOf(IOException.class);
  }
}
