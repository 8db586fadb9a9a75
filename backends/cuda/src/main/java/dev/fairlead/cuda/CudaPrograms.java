package dev.fairlead.cuda;

import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.Parameter;
import dev.fairlead.compute.driver.ProgramSource;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Programs in PTX that the driver has compiled, and what their kernels take. */
final class CudaPrograms {
  private static final int JIT_ERROR_LOG_BUFFER = 5;
  private static final int JIT_ERROR_LOG_BUFFER_SIZE = 6;
  private static final int LONGEST_LOG = 1 << 16;

  private final Cu cu;
  private final CudaCalls calls;
  private final Map<Long, Ptx> programs = new ConcurrentHashMap<>();
  private final Map<Long, List<Parameter>> parameters = new ConcurrentHashMap<>();

  CudaPrograms(Cu cu, CudaCalls calls) {
    this.cu = cu;
    this.calls = calls;
  }

  long build(ProgramSource source) {
    if (!source.options().isBlank()) {
      throw new ComputeException.BadArgument(
          "Programs in PTX take no options, and were given \"" + source.options() + "\"");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(C.LONG);
      MemorySegment log = arena.allocate(LONGEST_LOG);
      MemorySegment options =
          arena.allocateFrom(C.INT, JIT_ERROR_LOG_BUFFER, JIT_ERROR_LOG_BUFFER_SIZE);
      // The size is itself the value, not a pointer to it.
      MemorySegment values = arena.allocateFrom(C.LONG, log.address(), LONGEST_LOG);
      MemorySegment image = arena.allocateFrom(source.text());
      int code =
          Downcall.number(
              () -> (int) cu.moduleLoadDataEx().invokeExact(out, image, 2, options, values));
      if (CudaCodes.isBuildFailure(code)) {
        throw new ComputeException.BuildFailed(
            C.text(log), calls.error("cuModuleLoadDataEx", code));
      }
      calls.check("cuModuleLoadDataEx", () -> code);
      programs.put(out.get(C.LONG, 0), Ptx.of(source.text()));
      return out.get(C.LONG, 0);
    }
  }

  void release(long program) {
    programs.remove(program);
    calls.check("cuModuleUnload", () -> (int) cu.moduleUnload().invokeExact(program));
  }

  long kernel(long program, String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(C.LONG);
      MemorySegment text = arena.allocateFrom(name);
      int code =
          Downcall.number(() -> (int) cu.moduleGetFunction().invokeExact(out, program, text));
      if (code == CudaCodes.NOT_FOUND) {
        throw new ComputeException.NoSuchKernel(
            "The program has no kernel " + name, calls.error("cuModuleGetFunction", code));
      }
      calls.check("cuModuleGetFunction", () -> code);
      long kernel = out.get(C.LONG, 0);
      // The driver may give a number out again that an earlier program's kernel had.
      parameters.remove(kernel);
      Ptx ptx = programs.get(program);
      if (ptx != null && ptx.entries().containsKey(name)) {
        parameters.put(kernel, ptx.entries().get(name));
      }
      return kernel;
    }
  }

  /** What a kernel takes; empty where the program's text does not tell. */
  Optional<List<Parameter>> parameters(long kernel) {
    return Optional.ofNullable(parameters.get(kernel));
  }
}
