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
import java.util.List;
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
  }

  @Test
  void aFileThatIsNoLibraryIsAValueWithTheReasonOfTheSystem() throws IOException {
    Path text = Files.writeString(folder.resolve("libtext.so"), "no library");

    Binding<Functions> binding = Binding.of(List.of(text.toString()), Functions::of);

    assertThat(((Binding.Unbound<Functions>) binding).reason())
        .contains(text.toString())
        .containsAnyOf("file too short", "invalid ELF header");
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
