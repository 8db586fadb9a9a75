package dev.fairlead.nativecode;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * The functions of one library, by name. No call is marked critical: any of them may block, and a
 * critical call would hold up the garbage collector meanwhile.
 */
public final class Symbols {
  private final SymbolLookup library;

  Symbols(SymbolLookup library) {
    this.library = library;
  }

  /** A function that must be there; without it there is no {@link Binding}. */
  public MethodHandle function(String name, MemoryLayout result, MemoryLayout... parameters) {
    return optional(name, result, parameters).orElseThrow(() -> new Missing(name));
  }

  /** A function that takes further arguments after the first {@code fixed} ones. */
  @SuppressWarnings("restricted") // the caller answers for the signature
  public MethodHandle variadic(
      String name, int fixed, MemoryLayout result, MemoryLayout... parameters) {
    return library
        .find(name)
        .map(address ->
            Linker.nativeLinker()
                .downcallHandle(
                    address,
                    FunctionDescriptor.of(result, parameters),
                    Linker.Option.firstVariadicArg(fixed)))
        .orElseThrow(() -> new Missing(name));
  }

  /** A function that newer versions of the library have. */
  @SuppressWarnings("restricted") // the caller answers for the signature
  public Optional<MethodHandle> optional(
      String name, MemoryLayout result, MemoryLayout... parameters) {
    return library
        .find(name)
        .map(address ->
            Linker.nativeLinker()
                .downcallHandle(address, FunctionDescriptor.of(result, parameters)));
  }

  /** Goes from where a function was asked for to the {@link Binding} that says so. */
  static final class Missing extends RuntimeException {
    private final String symbol;

    Missing(String symbol) {
      super(symbol, null, false, false);
      this.symbol = symbol;
    }

    String symbol() {
      return symbol;
    }
  }
}
