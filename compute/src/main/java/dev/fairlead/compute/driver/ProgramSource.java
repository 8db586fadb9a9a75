package dev.fairlead.compute.driver;

/**
 * The text of a program, and options for its compiler.
 *
 * @param options as the driver's compiler takes them, such as {@code -D TAPS=5}
 */
public record ProgramSource(Language language, String text, String options) {

  /** What programs are written in. */
  public enum Language {
    OPENCL_C,
    PTX;

    /** Whether local memory is among a kernel's parameters; if not, it goes with the launch. */
    public boolean listsLocalMemory() {
      return this == OPENCL_C;
    }
  }

  public static ProgramSource openCl(String text) {
    return new ProgramSource(Language.OPENCL_C, text, "");
  }

  public static ProgramSource ptx(String text) {
    return new ProgramSource(Language.PTX, text, "");
  }

  public ProgramSource withOptions(String value) {
    return new ProgramSource(language, text, value);
  }
}
