package dev.fairlead.device;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The terms of a selection, sorted by the backend that answers them.
 *
 * <p>A term that begins with the scheme of a backend is that backend's to read. {@code all} is
 * every device that does not work on the processor's cores, and the lanes where there is none; the
 * name of a vendor, such as {@code nvidia}, is all of its devices; anything else is the id or the
 * label of one device, perhaps with a weight: {@code GPU-5f0c*0.5}.
 *
 * @param byScheme what is asked of each backend
 * @param wide what is chosen from everything that the backends have
 */
record Selection(Map<String, List<String>> byScheme, List<String> wide) {
  static final String NO_BACKEND =
      "there is no backend: add the artifact of one to the class path, such as"
          + " fairlead-backends-cpu";

  private static final String ALL = "all";

  static Selection parse(String text, List<DeviceProvider> providers) {
    Map<String, List<String>> byScheme = new TreeMap<>();
    List<String> wide = new ArrayList<>();
    for (String term : Arrays.stream(text.split(",", -1)).map(String::strip).toList()) {
      if (term.isEmpty()) {
        throw unknown(term, providers);
      }
      String word = term.split("[:*@]", 2)[0];
      Optional<DeviceProvider> its =
          providers.stream().filter(provider -> provider.understands(word)).findFirst();
      if (its.isPresent()) {
        byScheme.computeIfAbsent(its.get().scheme(), any -> new ArrayList<>()).add(term);
      } else {
        wide.add(term);
      }
    }
    return new Selection(byScheme, wide);
  }

  /** Whether everything has to be looked for. */
  boolean isWide() {
    return !wide.isEmpty();
  }

  boolean hasAll() {
    return wide.contains(ALL);
  }

  /** The devices that the wide terms choose, with the weights that they give. */
  List<Discovery.Found> chosen(List<Discovery.Found> everything, List<DeviceProvider> providers) {
    Set<Discovery.Found> chosen = new LinkedHashSet<>();
    for (Discovery.Found each : everything) {
      for (String term : wide) {
        if (chooses(term, each.device())) {
          chosen.add(new Discovery.Found(weighted(term, each.device()), each.provider()));
          break;
        }
      }
    }
    for (String term : wide) {
      boolean family = term.equals(ALL) || Vendor.isKnown(term);
      if (!family && everything.stream().noneMatch(each -> means(term, each.device()))) {
        throw unknown(term, providers);
      }
    }
    return List.copyOf(chosen);
  }

  private static boolean means(String term, Device device) {
    return names(term, device) || device.vendor().isNamed(term);
  }

  private static boolean chooses(String term, Device device) {
    boolean lane = device.isOnHostCores();
    return names(term, device) || (!lane && (term.equals(ALL) || device.vendor().isNamed(term)));
  }

  private static boolean names(String term, Device device) {
    String name = withoutWeight(term);
    return isCalled(device, term) || isCalled(device, name);
  }

  private static boolean isCalled(Device device, String name) {
    return device.id().value().equals(name) || device.label().equals(name);
  }

  private static String withoutWeight(String term) {
    int star = term.lastIndexOf('*');
    return star < 0 ? term : term.substring(0, star);
  }

  private static Device weighted(String term, Device device) {
    int star = term.lastIndexOf('*');
    if (star < 0 || isCalled(device, term)) {
      return device;
    }
    try {
      double weight = Double.parseDouble(term.substring(star + 1));
      if (weight > 0 && weight <= Float.MAX_VALUE) {
        return device.withWeight(weight);
      }
    } catch (NumberFormatException malformed) {
      // The exception below says so.
    }
    throw new BadTermException(
        "The weight in \"%s\" is no number above zero; write %s*0.5, say"
            .formatted(term, device.label()));
  }

  private static BadTermException unknown(String term, List<DeviceProvider> providers) {
    if (providers.isEmpty()) {
      return new BadTermException(
          "No backend knows the device \"%s\"; %s".formatted(term, NO_BACKEND));
    }
    return new BadTermException(
        ("No backend knows the device \"%s\"; known are %s, all, nvidia, amd, intel, and the ids"
                + " and labels of devices")
            .formatted(term, schemes(providers)));
  }

  /** The first words that backends know, for people. */
  static String schemes(List<DeviceProvider> providers) {
    return providers.stream().map(DeviceProvider::scheme).collect(Collectors.joining(", "));
  }
}
