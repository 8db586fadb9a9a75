package dev.fairlead.device;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

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
  private static final String NOT_ISOLATED =
      "its backend cannot keep contexts in a process of their own; use it without"
          + " Isolation.PROCESS, and start the program again after an error that needs a new"
          + " process";

  public Discovery {
    found = List.copyOf(found);
    problems = List.copyOf(problems);
  }

  public static Discovery of(DeviceProvider provider, List<Device> devices) {
    return new Discovery(
        devices.stream().map(device -> new Found(device, provider)).toList(), List.of());
  }

  /**
   * The same devices with their contexts elsewhere. A device whose backend cannot do that is a
   * problem.
   */
  public Discovery with(Isolation isolation) {
    if (isolation == Isolation.NONE) {
      return this;
    }
    List<Found> isolated = new ArrayList<>();
    List<Problem> left = new ArrayList<>(problems);
    for (Found each : found) {
      each.provider()
          .isolated()
          .ifPresentOrElse(
              provider -> isolated.add(new Found(each.device(), provider)),
              () -> left.add(new Problem(each.device().label(), NOT_ISOLATED)));
    }
    return new Discovery(isolated, left);
  }

  /**
   * Looks with every provider on the class path.
   *
   * @param selection comma-separated terms: {@code all}, which is every accelerator, and the
   *     processor's lanes where none of them computes; {@code all,cpu}, both; {@code
   *     cpu:2,cpu:1*0.25}, {@code lane:0}; a vendor such as {@code nvidia}; a device's {@link
   *     DeviceProvider#term} or id, perhaps with a weight
   */
  public static Discovery find(String selection) {
    return find(selection, any -> true);
  }

  /**
   * The same, without some backends.
   *
   * @param asked whether a provider is asked for its devices
   */
  public static Discovery find(String selection, Predicate<DeviceProvider> asked) {
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
        DeviceProvider provider = next.get();
        if (asked.test(provider)) {
          providers.add(provider);
        }
      } catch (RuntimeException | LinkageError | ServiceConfigurationError failure) {
        problems.add(new Problem(what, reason(failure)));
      }
    }
    return find(selection, providers, problems);
  }

  /** Looks with the given providers, in their order. */
  public static Discovery find(String selection, List<DeviceProvider> providers) {
    return find(selection, providers, List.of());
  }

  private static Discovery find(
      String selection, List<DeviceProvider> providers, List<Problem> known) {
    Selection terms = Selection.parse(selection, providers);
    Set<Problem> problems = new LinkedHashSet<>(known);
    List<Found> everything = new ArrayList<>();
    if (terms.isWide()) {
      providers.forEach(provider -> everything.addAll(ask(provider, List.of(), problems)));
    }
    List<Found> chosen = terms.chosen(everything, providers);
    List<Found> found = new ArrayList<>();
    for (DeviceProvider provider : providers) {
      chosen.stream().filter(each -> each.provider().equals(provider)).forEach(found::add);
      List<String> own = terms.byScheme().get(provider.scheme());
      if (own != null) {
        found.addAll(ask(provider, own, problems));
      }
    }
    List<Found> merged = new ArrayList<>(merged(found));
    if (terms.hasAll() && merged.stream().allMatch(Discovery::onlyEncodes)) {
      merged.addAll(lanesOf(everything));
    }
    if (merged.isEmpty() && problems.isEmpty()) {
      problems.add(nothing(selection, providers));
    }
    return new Discovery(merged(merged), List.copyOf(problems));
  }

  private static boolean onlyEncodes(Found found) {
    return found.device().kind().equals(DeviceKind.ENCODER);
  }

  private static Problem nothing(String selection, List<DeviceProvider> providers) {
    return providers.isEmpty()
        ? new Problem("devices", Selection.NO_BACKEND)
        : new Problem(
            selection,
            ("the backends %s found no such device; where another backend has it, add its artifact"
                    + " to the class path, such as fairlead-backends-opencl")
                .formatted(Selection.schemes(providers)));
  }

  /** The processor's lanes; a driver that runs on the same cores is not taken beside them. */
  private static List<Found> lanesOf(List<Found> everything) {
    List<Found> lanes =
        everything.stream().filter(each -> each.device().kind().equals(DeviceKind.CPU)).toList();
    return lanes.isEmpty() ? everything : lanes;
  }

  private static List<Found> ask(
      DeviceProvider provider, List<String> terms, Set<Problem> problems) {
    try {
      Discovery each = provider.discover(terms);
      problems.addAll(each.problems);
      return each.found;
    } catch (BadTermException badTerm) {
      throw badTerm;
    } catch (RuntimeException | LinkageError failure) {
      problems.add(new Problem(provider.scheme(), reason(failure)));
      return List.of();
    }
  }

  /** The same devices, changed one by one; their backends stay the same. */
  public Discovery map(UnaryOperator<Device> change) {
    return new Discovery(
        found.stream()
            .map(each -> new Found(change.apply(each.device()), each.provider()))
            .toList(),
        problems);
  }

  /**
   * The same devices for work on one of their engines: a pool of these has the engine's slots, and
   * what another pool has on other engines takes none of them.
   */
  public Discovery on(Engine engine) {
    return map(device -> device.on(engine));
  }

  /** The devices alone. */
  public List<Device> devices() {
    return found.stream().map(Found::device).toList();
  }

  private static List<Found> merged(List<Found> found) {
    List<Found> merged = new ArrayList<>();
    for (Found each : found) {
      int known = 0;
      while (known < merged.size() && !merged.get(known).device().isSameAs(each.device())) {
        known++;
      }
      if (known == merged.size()) {
        merged.add(each);
      } else {
        merged.set(known, merged(merged.get(known), each));
      }
    }
    return List.copyOf(merged);
  }

  /** One device of two faces: the backend that computes with it opens it, CUDA before others. */
  private static Found merged(Found first, Found again) {
    return rank(again.device()) < rank(first.device())
        ? new Found(again.device().mergedWith(first.device()), again.provider())
        : new Found(first.device().mergedWith(again.device()), first.provider());
  }

  private static int rank(Device device) {
    return device.kind().equals(DeviceKind.CUDA)
        ? 0
        : device.kind().equals(DeviceKind.ENCODER) ? 2 : 1;
  }

  private static String reason(Throwable failure) {
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    Throwable cause = failure.getCause();
    return cause == null ? message : message + " (" + reason(cause) + ")";
  }
}
