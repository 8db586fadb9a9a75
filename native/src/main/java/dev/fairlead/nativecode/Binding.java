package dev.fairlead.nativecode;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The functions of a system library, bound; or why they could not be. A library that is missing is
 * an ordinary value: most machines lack most drivers.
 *
 * <p>The functions are one record of method handles, made by a function that asks {@link Symbols}
 * for each. A library that was loaded stays loaded: drivers keep threads of their own inside.
 */
public sealed interface Binding<F> {

  /** The library is there and has all that was asked for. */
  record Bound<F>(String library, F functions) implements Binding<F> {}

  /** Why there are no functions. */
  sealed interface Unbound<F> extends Binding<F> {
    String reason();
  }

  /**
   * No library of these names could be loaded.
   *
   * @param missing whether none of them is there at all; if not, one is, and is damaged or lacks
   *     something that it needs
   */
  record NoLibrary<F>(List<String> names, String reason, boolean missing) implements Unbound<F> {
    public NoLibrary {
      names = List.copyOf(names);
    }
  }

  /** The library is there, but too old or not what it says: it lacks a function. */
  record NoSymbol<F>(String library, String symbol) implements Unbound<F> {
    @Override
    public String reason() {
      return library + " has no function " + symbol;
    }
  }

  /**
   * Loads the first library that can be loaded and binds its functions.
   *
   * @param names as the system's loader takes them, such as {@code libOpenCL.so.1}, or paths
   */
  @SuppressWarnings("restricted") // loading a library runs its code: only what was asked for
  static <F> Binding<F> of(List<String> names, Function<Symbols, F> functions) {
    List<Loader.Refusal> refusals = new ArrayList<>();
    for (String name : names) {
      SymbolLookup library;
      try {
        library =
            name.contains("/")
                ? SymbolLookup.libraryLookup(Path.of(name), Arena.global())
                : SymbolLookup.libraryLookup(name, Arena.global());
      } catch (IllegalArgumentException absent) {
        refusals.add(Loader.refusal(name));
        continue;
      }
      try {
        return new Bound<>(name, functions.apply(new Symbols(library)));
      } catch (Symbols.Missing missing) {
        return new NoSymbol<>(name, missing.symbol());
      }
    }
    return new NoLibrary<>(
        names,
        refusals.stream().map(Loader.Refusal::reason).collect(Collectors.joining("; ")),
        refusals.stream().allMatch(Loader.Refusal::missing));
  }
}
