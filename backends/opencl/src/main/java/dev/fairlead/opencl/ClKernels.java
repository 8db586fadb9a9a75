package dev.fairlead.opencl;

import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.DriverError;
import dev.fairlead.compute.driver.Parameter;
import dev.fairlead.compute.driver.Parameter.Form;
import dev.fairlead.compute.driver.Parameter.Kind;
import dev.fairlead.compute.driver.ProgramSource;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Building programs in OpenCL C, and what their kernels take. */
final class ClKernels {
  private static final int BUILD_LOG = 0x1183;
  private static final int NUM_ARGS = 0x1191;
  private static final int ADDRESS_QUALIFIER = 0x1196;
  private static final int TYPE_NAME = 0x1198;
  private static final int GLOBAL = 0x119B;
  private static final int LOCAL = 0x119C;
  private static final int CONSTANT = 0x119D;

  /** Keeps what {@link #parameters} asks for. */
  private static final String KEEP_PARAMETERS = "-cl-kernel-arg-info";

  private static final Pattern VALUE =
      Pattern.compile("(u?(?:char|short|int|long)|float|double|half)(2|3|4|8|16)?");
  private static final Map<String, Integer> SIZES =
      Map.of("char", 1, "short", 2, "int", 4, "long", 8, "half", 2, "float", 4, "double", 8);

  private final Cl cl;
  private final long context;
  private final long device;

  ClKernels(Cl cl, long context, long device) {
    this.cl = cl;
    this.context = context;
    this.device = device;
  }

  long build(ProgramSource source) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment code = arena.allocate(C.INT);
      MemorySegment texts = arena.allocate(C.POINTER);
      texts.set(C.POINTER, 0, arena.allocateFrom(source.text()));
      long program =
          Downcall.handle(() ->
              (long)
                  cl.createProgramWithSource()
                      .invokeExact(context, 1, texts, MemorySegment.NULL, code));
      ClCodes.CALLS.check("clCreateProgramWithSource", code.get(C.INT, 0));
      MemorySegment options =
          arena.allocateFrom((KEEP_PARAMETERS + " " + source.options()).strip());
      MemorySegment devices = arena.allocateFrom(C.LONG, device);
      int built =
          Downcall.number(() ->
              (int)
                  cl.buildProgram()
                      .invokeExact(
                          program, 1, devices, options, MemorySegment.NULL, MemorySegment.NULL));
      if (built != 0) {
        ComputeException failure = failure(program, built);
        release(program);
        throw failure;
      }
      return program;
    }
  }

  private ComputeException failure(long program, int code) {
    if (code != ClCodes.BUILD_PROGRAM_FAILURE && code != ClCodes.INVALID_BUILD_OPTIONS) {
      return ClCodes.CALLS.failure("clBuildProgram", code);
    }
    String log =
        ClInfo.text(
            "clGetProgramBuildInfo",
            (size, answer, length) ->
                (int)
                    cl.getProgramBuildInfo()
                        .invokeExact(program, device, BUILD_LOG, size, answer, length));
    return new ComputeException.BuildFailed(
        log, new DriverError("OpenCL", "clBuildProgram", code, ClCodes.name(code)));
  }

  void release(long program) {
    ClCodes.CALLS.check(
        "clReleaseProgram", Downcall.number(() -> (int) cl.releaseProgram().invokeExact(program)));
  }

  long kernel(long program, String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment code = arena.allocate(C.INT);
      MemorySegment text = arena.allocateFrom(name);
      long kernel =
          Downcall.handle(() -> (long) cl.createKernel().invokeExact(program, text, code));
      int answer = code.get(C.INT, 0);
      if (answer == ClCodes.INVALID_KERNEL_NAME) {
        throw new ComputeException.NoSuchKernel(
            "The program has no kernel \"%s\"".formatted(name),
            new DriverError("OpenCL", "clCreateKernel", answer, ClCodes.name(answer)));
      }
      ClCodes.CALLS.check("clCreateKernel", answer);
      return kernel;
    }
  }

  Optional<List<Parameter>> parameters(long kernel) {
    int count =
        ClInfo.small(
            "clGetKernelInfo",
            (size, answer, length) ->
                (int) cl.getKernelInfo().invokeExact(kernel, NUM_ARGS, size, answer, length));
    List<Parameter> parameters = new ArrayList<>();
    try {
      for (int index = 0; index < count; index++) {
        int space = ClInfo.small("clGetKernelArgInfo", about(kernel, index, ADDRESS_QUALIFIER));
        String type = ClInfo.text("clGetKernelArgInfo", about(kernel, index, TYPE_NAME));
        parameters.add(parameter(space, type));
      }
    } catch (ComputeException.DriverFailed failure) {
      if (failure.driverError().orElseThrow().code() == ClCodes.KERNEL_ARG_INFO_NOT_AVAILABLE) {
        return Optional.empty();
      }
      throw failure;
    }
    return Optional.of(parameters);
  }

  private ClInfo.Question about(long kernel, int index, int what) {
    return (size, answer, length) ->
        (int) cl.getKernelArgInfo().invokeExact(kernel, index, what, size, answer, length);
  }

  /** What a kernel takes, from the address space and the name of the type. */
  static Parameter parameter(int space, String type) {
    return switch (space) {
      case GLOBAL, CONSTANT -> new Parameter(Kind.BUFFER, Form.ANY, 0, type);
      case LOCAL -> new Parameter(Kind.LOCAL, Form.ANY, 0, "local " + type);
      default -> value(type);
    };
  }

  private static Parameter value(String type) {
    Matcher matcher = VALUE.matcher(type);
    if (!matcher.matches()) {
      return new Parameter(Kind.VALUE, Form.ANY, 0, type);
    }
    String base =
        matcher.group(1).startsWith("u") ? matcher.group(1).substring(1) : matcher.group(1);
    int size = SIZES.getOrDefault(base, 0);
    if (matcher.group(2) != null) {
      int lanes = Integer.parseInt(matcher.group(2));
      return new Parameter(Kind.VALUE, Form.ANY, size * (lanes == 3 ? 4 : lanes), type);
    }
    boolean floating = base.equals("float") || base.equals("double") || base.equals("half");
    return new Parameter(Kind.VALUE, floating ? Form.FLOATING : Form.INTEGER, size, type);
  }
}
