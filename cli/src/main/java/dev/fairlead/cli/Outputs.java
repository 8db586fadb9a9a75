package dev.fairlead.cli;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which input goes where. */
final class Outputs {
  private Outputs() {}

  /** One input takes the directory itself; each of several one in it, with the input's name. */
  static Map<Path, Path> of(List<Path> inputs, Path directory) {
    Map<Path, Path> outputs = new LinkedHashMap<>();
    if (inputs.size() == 1) {
      outputs.put(inputs.getFirst(), directory);
      return outputs;
    }
    List<String> stems = inputs.stream().map(Outputs::stem).toList();
    Set<String> names = new HashSet<>();
    for (Path input : inputs) {
      String stem = stem(input);
      boolean unique = stems.stream().filter(stem::equals).count() == 1;
      String name = unique ? stem : String.valueOf(input.getFileName());
      if (!names.add(name)) {
        throw new IllegalArgumentException(
            "Two inputs are called %s, so that both would go to %s; give them one after another"
                .formatted(name, directory.resolve(name)));
      }
      outputs.put(input, directory.resolve(name));
    }
    return outputs;
  }

  private static String stem(Path input) {
    String name = String.valueOf(input.getFileName());
    int dot = name.lastIndexOf('.');
    return dot <= 0 ? name : name.substring(0, dot);
  }
}
