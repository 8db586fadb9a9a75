package dev.fairlead.cuda;

import dev.fairlead.compute.driver.Parameter;
import dev.fairlead.compute.driver.Parameter.Form;
import dev.fairlead.compute.driver.Parameter.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the kernels of a program in PTX take, read from its text. The driver takes an array of
 * pointers and no count: a launch with too few arguments would have it read beyond the end.
 *
 * @param entries the parameters of each kernel that could be read
 */
record Ptx(Map<String, List<Parameter>> entries) {
  private static final Pattern COMMENT = Pattern.compile("//[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);
  private static final Pattern ENTRY =
      Pattern.compile("\\.entry\\s+([\\w$%]+)\\s*(?:\\(([^)]*)\\))?");
  private static final Pattern TYPE = Pattern.compile("\\.([bsuf])(8|16|32|64)\\b");
  private static final Pattern ARRAY = Pattern.compile("\\[\\s*(\\d+)\\s*]\\s*$");

  Ptx {
    entries = Map.copyOf(entries);
  }

  static Ptx of(String text) {
    Map<String, List<Parameter>> entries = new HashMap<>();
    Matcher entry = ENTRY.matcher(COMMENT.matcher(text).replaceAll(" "));
    while (entry.find()) {
      String list = entry.group(2);
      parameters(list == null ? "" : list)
          .ifPresent(parameters -> entries.put(entry.group(1), parameters));
    }
    return new Ptx(entries);
  }

  private static Optional<List<Parameter>> parameters(String list) {
    List<Parameter> parameters = new ArrayList<>();
    for (String each : list.isBlank() ? new String[0] : list.split(",", -1)) {
      Matcher type = TYPE.matcher(each);
      if (!each.contains(".param") || !type.find()) {
        return Optional.empty();
      }
      Matcher array = ARRAY.matcher(each);
      int bytes = Integer.parseInt(type.group(2)) / Byte.SIZE;
      parameters.add(
          array.find()
              ? new Parameter(
                  Kind.VALUE, Form.ANY, bytes * Integer.parseInt(array.group(1)), name(each))
              : new Parameter(kind(each, type), form(type.group(1)), bytes, name(each)));
    }
    return Optional.of(parameters);
  }

  /** As the program writes it, without what says only that it is a parameter. */
  private static String name(String parameter) {
    return parameter.replace(".param", "").strip().replaceAll("\\s+", " ");
  }

  private static Kind kind(String parameter, Matcher type) {
    if (parameter.contains(".ptr")) {
      return Kind.BUFFER;
    }
    boolean address = type.group(2).equals("64") && !type.group(1).equals("f");
    return address ? Kind.BUFFER_OR_VALUE : Kind.VALUE;
  }

  private static Form form(String letter) {
    return switch (letter) {
      case "f" -> Form.FLOATING;
      case "b" -> Form.ANY;
      default -> Form.INTEGER;
    };
  }
}
