package dev.fairlead.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Which input goes where. */
final class Outputs {
  private static final Pattern VIDEO =
      Pattern.compile("\\.(mp4|m4v|mov|mkv|webm|m3u8|ts|avi)$", Pattern.CASE_INSENSITIVE);

  private Outputs() {}

  /** One input takes the directory itself; each of several one in it, with the input's name. */
  static Map<Path, Path> of(List<Path> inputs, Path directory) {
    if (directory.toString().isEmpty()) {
      throw new IllegalArgumentException("--output is empty; \".\" is the current directory");
    }
    if (Files.isRegularFile(directory)) {
      throw new IllegalArgumentException(
          "%s is a file; --output takes a directory".formatted(directory));
    }
    if (VIDEO.matcher(directory.toString()).find() && !Files.exists(directory)) {
      throw new IllegalArgumentException(
          "--output takes a directory, and %s is named like a file; for MP4 files in a directory give --format mp4 --output %s"
              .formatted(directory, stem(directory)));
    }
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
    outputs.forEach((input, output) -> requireOutside(inputs, input, output));
    return outputs;
  }

  /** What is made of one input may replace, and removes with --restart, files of its own output. */
  private static void requireOutside(List<Path> inputs, Path of, Path output) {
    for (Path input : inputs) {
      if (!input.equals(of) && RunFiles.real(input).startsWith(RunFiles.real(output))) {
        throw new IllegalArgumentException(
            "%s lies in the output of %s; choose another output".formatted(input, of));
      }
    }
  }

  private static String stem(Path input) {
    String name = String.valueOf(input.getFileName());
    int dot = name.lastIndexOf('.');
    return dot <= 0 ? name : name.substring(0, dot);
  }
}
