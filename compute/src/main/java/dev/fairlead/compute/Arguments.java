package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.PackedArguments;
import dev.fairlead.compute.driver.Parameter;
import dev.fairlead.compute.driver.Parameter.Form;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** The arguments of a launch: checked against what the kernel takes, then packed for the driver. */
final class Arguments {
  /** No value of a program wants more. */
  private static final long ALIGNMENT = 128;

  private Arguments() {}

  static void check(Kernel kernel, List<Argument> given) {
    if (kernel.parameters().isEmpty()) {
      return;
    }
    List<Argument> arguments =
        kernel.listsLocalMemory()
            ? given
            : given.stream().filter(each -> !(each instanceof Argument.Local)).toList();
    List<Parameter> parameters = kernel.parameters().get();
    if (parameters.size() != arguments.size()) {
      throw new ComputeException.BadArgument(
          "The kernel %s takes %d arguments %s and was given %d"
              .formatted(kernel.name(), parameters.size(), parameters, arguments.size()));
    }
    for (int index = 0; index < parameters.size(); index++) {
      if (!fits(parameters.get(index), arguments.get(index))) {
        throw new ComputeException.BadArgument(
            "Argument %d of the kernel %s is %s and was given %s"
                .formatted(
                    index, kernel.name(), describe(parameters.get(index)), arguments.get(index)));
      }
    }
  }

  private static String describe(Parameter parameter) {
    return parameter.bytes() == 0
        ? "\"" + parameter.type() + "\""
        : "\"%s\" (%d bytes)".formatted(parameter.type(), parameter.bytes());
  }

  private static boolean fits(Parameter parameter, Argument argument) {
    return switch (argument) {
      case DeviceBuffer _ ->
          parameter.kind() == Parameter.Kind.BUFFER
              || parameter.kind() == Parameter.Kind.BUFFER_OR_VALUE;
      case Argument.Local _ -> parameter.kind() == Parameter.Kind.LOCAL;
      case Argument.Value value -> takes(parameter, value);
    };
  }

  private static boolean takes(Parameter parameter, Argument.Value value) {
    boolean sameSize = parameter.bytes() == 0 || parameter.bytes() == value.bytes().length;
    boolean sameForm =
        parameter.form() == Form.ANY
            || value.form() == Form.ANY
            || parameter.form() == value.form();
    return switch (parameter.kind()) {
      case VALUE, BUFFER_OR_VALUE -> sameSize && sameForm;
      case BUFFER, LOCAL -> false;
    };
  }

  static PackedArguments pack(List<Argument> arguments, Arena arena) {
    long[] offsets = new long[arguments.size()];
    long[] sizes = new long[arguments.size()];
    long end = 0;
    for (int index = 0; index < offsets.length; index++) {
      sizes[index] = size(arguments.get(index));
      if (arguments.get(index) instanceof Argument.Local) {
        offsets[index] = PackedArguments.LOCAL;
      } else {
        offsets[index] = end;
        end += Math.ceilDiv(sizes[index], ALIGNMENT) * ALIGNMENT;
      }
    }
    MemorySegment memory = arena.allocate(Math.max(1, end), ALIGNMENT);
    for (int index = 0; index < offsets.length; index++) {
      switch (arguments.get(index)) {
        case DeviceBuffer buffer ->
            memory.set(ValueLayout.JAVA_LONG, offsets[index], buffer.rawHandle());
        case Argument.Value value ->
            MemorySegment.copy(
                value.bytes(),
                0,
                memory,
                ValueLayout.JAVA_BYTE,
                offsets[index],
                value.bytes().length);
        case Argument.Local _ -> {}
      }
    }
    return new PackedArguments(memory, offsets, sizes);
  }

  private static long size(Argument argument) {
    return switch (argument) {
      case DeviceBuffer _ -> Long.BYTES;
      case Argument.Value value -> value.bytes().length;
      case Argument.Local local -> local.bytes();
    };
  }
}
