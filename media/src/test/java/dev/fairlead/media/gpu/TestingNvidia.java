package dev.fairlead.media.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * A host with NVIDIA cards for processes that are started with its {@link #environment}: the driver
 * doubles of {@code src/test/c/nvidia}, compiled with gcc, what they are told, and their books.
 * {@code double.h} there says what each variable means.
 *
 * @param directory of the books; hosts with the same one are the same host
 */
public record TestingNvidia(Path directory, Map<String, String> settings) {
  private static final String VISIBLE = "CUDA_VISIBLE_DEVICES";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(5);

  /** One line of the books. */
  public record Entry(long pid, String event, Map<String, String> values) {
    public Entry {
      values = Map.copyOf(values);
    }

    static Entry of(String line) {
      String[] words = line.split(" ", -1);
      Map<String, String> values = new HashMap<>();
      for (String word : words) {
        int equals = word.indexOf('=');
        if (equals > 0) {
          values.put(word.substring(0, equals), word.substring(equals + 1));
        }
      }
      long pid = Long.parseLong(value(values, "pid", line));
      boolean misuse = words[1].equals("misuse:");
      return new Entry(pid, misuse ? line.substring(line.indexOf(words[1])) : words[1], values);
    }

    public String value(String name) {
      return value(values, name, toString());
    }

    /** The card that it is about, as the machine counts them. */
    public int card() {
      return Integer.parseInt(value("card"));
    }

    private static String value(Map<String, String> values, String name, String line) {
      String value = values.get(name);
      if (value == null) {
        throw new AssertionError("There is no " + name + " in the books' line " + line);
      }
      return value;
    }
  }

  public TestingNvidia {
    settings = Map.copyOf(settings);
  }

  /**
   * A host with four cards that encode H.264, and with empty books if the directory is. Workers of
   * a job that are confined can write books below {@code /dev/shm} only.
   */
  public static TestingNvidia in(Path directory) {
    return new TestingNvidia(directory, Map.of());
  }

  public TestingNvidia cards(int number) {
    return with("CARDS", String.valueOf(number));
  }

  /** The newest version of the encoder's interface that the driver knows, such as 13.0. */
  public TestingNvidia api(String version) {
    return with("API", version);
  }

  /** The version of the driver as the kernel tells it; that of a new one if it is not said. */
  public TestingNvidia driver(String version) {
    return with("DRIVER", version);
  }

  /** The version of the driver, as it was set. */
  public String driver() {
    return settings.getOrDefault("NVIDIA_DOUBLE_DRIVER", "610.43.02");
  }

  /** Sessions that the host has, and the code that it answers when there are no more. */
  public TestingNvidia sessions(int most, int refusal) {
    return with("SESSIONS", String.valueOf(most)).with("REFUSAL", String.valueOf(refusal));
  }

  /** What cards encode: {@code *=h264,1=none,3=h264+av1}; they encode nothing but H.264. */
  public TestingNvidia codecs(String list) {
    return with("CODECS", list);
  }

  /** Milliseconds that a picture takes on a card: {@code *=2,1=40}. */
  public TestingNvidia speed(String list) {
    return with("SPEED", list);
  }

  /** Pictures repeat the key before them, so that streams are as small as a card's. */
  public TestingNvidia still() {
    return with("STILL", "1");
  }

  /** Megabytes of memory that cards have: {@code *=512}. */
  public TestingNvidia memory(String list) {
    return with("MEMORY", list);
  }

  /** How many pictures a decoder decodes before it fails: {@code 0=100}. */
  public TestingNvidia decodes(String list) {
    return with("DECODES", list);
  }

  /** What befalls cards: {@code 0=30:fail:20,1=5:hang,2=7:crash:once,3=8:gone:20}. */
  public TestingNvidia faults(String list) {
    return with("FAULTS", list);
  }

  /** What cards do wrong without a word: {@code 0=colours,1=key,2=decoding}. */
  public TestingNvidia lies(String list) {
    return with("LIES", list);
  }

  /** What cards answer when they are handed kernels: {@code 1=222}. */
  public TestingNvidia kernels(String list) {
    return with("KERNELS", list);
  }

  /** The cards that processes see, in this order: {@code 3,1}. */
  public TestingNvidia visible(String cards) {
    return withVariable(VISIBLE, cards);
  }

  /** What cards of VAAPI beside them are told; {@code driver.h} of their double says what. */
  public TestingNvidia vaapi(String name, String list) {
    return withVariable("LIBVA_DOUBLE_" + name, list);
  }

  private TestingNvidia with(String name, String value) {
    return withVariable("NVIDIA_DOUBLE_" + name, value);
  }

  private TestingNvidia withVariable(String name, String value) {
    Map<String, String> more = new TreeMap<>(settings);
    more.put(name, value);
    return new TestingNvidia(directory, more);
  }

  /**
   * What a process has to have in its environment to be on this host.
   *
   * @param libraries where else it looks for libraries
   */
  public Map<String, String> environment(Path... libraries) {
    Map<String, String> environment = new TreeMap<>(settings);
    // What is set around the tests is about the true cards of this machine.
    environment.putIfAbsent(VISIBLE, "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15");
    environment.put("NVIDIA_DOUBLE_BOOKS", directory.toString());
    StringBuilder path = new StringBuilder(libraries().toString());
    for (Path each : libraries) {
      path.append(':').append(each);
    }
    environment.put("LD_LIBRARY_PATH", path.toString());
    return environment;
  }

  /** Where the doubles are, as {@code libcuda.so.1} and {@code libnvidia-encode.so.1}. */
  public static Path libraries() {
    return Built.FOLDER;
  }

  public List<Entry> books() {
    try {
      return Files.readAllLines(directory.resolve("books")).stream().map(Entry::of).toList();
    } catch (NoSuchFileException none) {
      return List.of();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  public List<Entry> books(String event) {
    return books().stream().filter(entry -> entry.event().equals(event)).toList();
  }

  /** Waits until the books have such a line, and fails if that takes too long. */
  public Entry await(String event, Predicate<Entry> wanted) {
    long started = System.nanoTime();
    while (true) {
      var found = books(event).stream().filter(wanted).findFirst();
      if (found.isPresent()) {
        return found.get();
      }
      if (System.nanoTime() - started > PATIENCE.toNanos()) {
        throw new AssertionError("No " + event + " after " + PATIENCE + " in " + books());
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /** Nothing was called as it must not be, and all contexts and sessions were given back. */
  public void requireCleanBooks() {
    assertThat(books()).extracting(Entry::event).noneMatch(event -> event.startsWith("misuse"));
    assertThat(keys("session-closed", "session"))
        .containsExactlyInAnyOrderElementsOf(keys("session-opened", "session"));
    assertThat(keys("context-destroyed", "context"))
        .containsExactlyInAnyOrderElementsOf(keys("context-created", "context"));
    assertThat(keys("primary-released", "card"))
        .containsExactlyInAnyOrderElementsOf(keys("primary-retained", "card"));
  }

  private List<String> keys(String event, String name) {
    return books(event).stream().map(entry -> entry.pid() + " " + entry.value(name)).toList();
  }

  /** Compiled when the first test asks for them. */
  private static final class Built {
    static final Path FOLDER = TestingDoubles.build("nvidia");

    private Built() {}
  }
}
