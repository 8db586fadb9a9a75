package dev.fairlead.simulator.setting;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A scenario as a text file: a line for each field, {@code name = value}; what follows a {@code #}
 * is a remark. A mishap may be given several times.
 */
public final class ScenarioFile {
  private ScenarioFile() {}

  /** Reads a file into settings. */
  public static void read(Path file, Settings into) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (CharacterCodingException binary) {
      throw new IllegalArgumentException(file + ": is not a text file", binary);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    Set<String> seen = new HashSet<>();
    for (int number = 1; number <= lines.size(); number++) {
      String line = lines.get(number - 1);
      int remark = line.indexOf('#');
      String text = (remark < 0 ? line : line.substring(0, remark)).strip();
      if (text.isEmpty()) {
        continue;
      }
      String where = file + " line " + number;
      int equals = text.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("%s: \"%s\" is not NAME = VALUE".formatted(where, text));
      }
      String name = text.substring(0, equals).strip();
      if (!name.equals("mishap") && !seen.add(name)) {
        throw new IllegalArgumentException(
            "%s: the field %s is given twice".formatted(where, name));
      }
      into.set(name, text.substring(equals + 1), where + ", field " + name);
    }
  }
}
