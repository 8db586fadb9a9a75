package dev.fairlead.device;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;

/**
 * What a look for devices found: those that can be used, in order and each once, and what is there
 * but cannot be used, with the reason.
 */
public record Discovery(List<Found> found, List<Problem> problems) {

  /** A device and the backend that opens it. */
  public record Found(Device device, DeviceProvider provider) {}

  /** Something that cannot be used, and why. */
  public record Problem(String what, String reason) {
    @Override
    public String toString() {
      return what + ": " + reason;
    }
  }

  private static final int MOST_PROVIDERS = 1_000;

  public Discovery {
    found = List.copyOf(found);
    problems = List.copyOf(problems);
  }

  public static Discovery of(DeviceProvider provider, List<Device> devices) {
    return new Discovery(
        devices.stream().map(device -> new Found(device, provider)).toList(), List.of());
  }

  /**
   * Looks with every provider on the class path.
   *
   * @param selection comma-separated terms such as {@code cpu:2,cpu:1*0.25}, or {@code all}
   */
  public static Discovery find(String selection) {
    List<DeviceProvider> providers = new ArrayList<>();
    List<Problem> problems = new ArrayList<>();
    var loaded = ServiceLoader.load(DeviceProvider.class).stream().iterator();
    // The loader can fail at any step, and goes on with the next provider when asked again.
    for (int left = MOST_PROVIDERS; left > 0; left--) {
      String what = "a backend";
      try {
        if (!loaded.hasNext()) {
          break;
        }
        ServiceLoader.Provider<DeviceProvider> next = loaded.next();
        what = next.type().getName();
        providers.add(next.get());
      } catch (RuntimeException | LinkageError | ServiceConfigurationError failure) {
        problems.add(new Problem(what, reason(failure)));
      }
    }
    Discovery here = find(selection, providers);
    problems.addAll(here.problems);
    return new Discovery(here.found, problems);
  }

  /** Looks with the given providers, in their order. */
  public static Discovery find(String selection, List<DeviceProvider> providers) {
    Map<String, List<String>> terms = terms(selection, providers);
    List<Found> found = new ArrayList<>();
    List<Problem> problems = new ArrayList<>();
    for (DeviceProvider provider : providers) {
      List<String> asked = terms.get(provider.scheme());
      if (asked == null) {
        continue;
      }
      try {
        Discovery each = provider.discover(asked);
        found.addAll(each.found);
        problems.addAll(each.problems);
      } catch (BadTermException badTerm) {
        throw badTerm;
      } catch (RuntimeException | LinkageError failure) {
        problems.add(new Problem(provider.scheme(), reason(failure)));
      }
    }
    return new Discovery(merged(found), problems);
  }

  /** The devices alone. */
  public List<Device> devices() {
    return found.stream().map(Found::device).toList();
  }

  private static Map<String, List<String>> terms(String selection, List<DeviceProvider> providers) {
    Map<String, List<String>> terms = new TreeMap<>();
    if (selection.strip().equals("all")) {
      providers.forEach(provider -> terms.put(provider.scheme(), List.of()));
      return terms;
    }
    List<String> schemes = providers.stream().map(DeviceProvider::scheme).toList();
    for (String term : Arrays.stream(selection.split(",", -1)).map(String::strip).toList()) {
      String scheme = term.split("[:*@]", 2)[0];
      if (!schemes.contains(scheme)) {
        throw new BadTermException(
            "No backend knows the device \"%s\"; known are %s and all".formatted(term, schemes));
      }
      terms.computeIfAbsent(scheme, any -> new ArrayList<>()).add(term);
    }
    return terms;
  }

  private static List<Found> merged(List<Found> found) {
    Map<DeviceId, Found> byId = new LinkedHashMap<>();
    for (Found each : found) {
      byId.merge(
          each.device().id(),
          each,
          (first, again) -> new Found(first.device().mergedWith(again.device()), first.provider()));
    }
    return List.copyOf(byId.values());
  }

  private static String reason(Throwable failure) {
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    Throwable cause = failure.getCause();
    return cause == null ? message : message + " (" + reason(cause) + ")";
  }
}
