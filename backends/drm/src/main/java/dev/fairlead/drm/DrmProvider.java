package dev.fairlead.drm;

import dev.fairlead.device.BadTermException;
import dev.fairlead.device.Card;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Engine;
import dev.fairlead.device.Vendor;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * GPUs of Intel and AMD as the kernel lists them, by their render nodes: what VAAPI encodes
 * through, whether or not the card has a driver that computes. Where it has one, both are faces of
 * one device. Cards of NVIDIA encode through their own driver, and are not listed here.
 * Thread-safe.
 *
 * <p>The terms are {@code encoder}, all of them, and {@code encoder:1}, one by its number: they are
 * numbered by their PCI addresses.
 */
public final class DrmProvider implements DeviceProvider {
  static final String SCHEME = "encoder";

  /** The kernel does not tell how many encoders and decoders there are; a card that has any has. */
  private static final int LEAST_UNITS = 1;

  private static final Map<String, Vendor> VENDORS =
      Map.of("0x8086", Vendor.INTEL, "0x1002", Vendor.AMD);
  private static final Map<Vendor, String> NAMES = Map.of(Vendor.INTEL, "Intel", Vendor.AMD, "AMD");
  private static final Pattern GRAMMAR = Pattern.compile("encoder(?::([0-9]{1,4}))?");

  private final DrmHost host;

  public DrmProvider() {
    this(DrmHost.here());
  }

  DrmProvider(DrmHost host) {
    this.host = host;
  }

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  public Discovery discover(List<String> terms) {
    List<Discovery.Found> found = new ArrayList<>();
    List<Discovery.Problem> problems = new ArrayList<>();
    List<DrmHost.Node> nodes =
        host.renderNodes().stream().filter(node -> VENDORS.containsKey(node.vendor())).toList();
    List<Optional<Integer>> wanted = terms.stream().map(DrmProvider::number).toList();
    for (int number = 0; number < nodes.size(); number++) {
      if (isWanted(wanted, number)) {
        DrmHost.Node node = nodes.get(number);
        Device device = device(node, number);
        if (Files.isReadable(node.path()) && Files.isWritable(node.path())) {
          found.add(new Discovery.Found(device, this));
        } else {
          problems.add(new Discovery.Problem(device.label(), obstacle(node)));
        }
      }
    }
    wanted.stream()
        .flatMap(Optional::stream)
        .filter(number -> number >= nodes.size())
        .forEach(number ->
            problems.add(
                new Discovery.Problem(
                    SCHEME + ":" + number,
                    nodes.size() == 1
                        ? "there is one GPU of Intel or AMD"
                        : "there are %d GPUs of Intel and AMD".formatted(nodes.size()))));
    return new Discovery(found, problems);
  }

  private static boolean isWanted(List<Optional<Integer>> wanted, int number) {
    return wanted.isEmpty()
        || wanted.stream().anyMatch(each -> each.isEmpty() || each.get() == number);
  }

  /** The number in a term; empty if it means all. */
  private static Optional<Integer> number(String term) {
    Matcher matcher = GRAMMAR.matcher(term);
    if (!matcher.matches()) {
      throw new BadTermException(
          "\"%s\" is not a choice of GPU encoders; allowed are encoder and encoder:N"
              .formatted(term));
    }
    return Optional.ofNullable(matcher.group(1)).map(Integer::valueOf);
  }

  private static String obstacle(DrmHost.Node node) {
    return Files.exists(node.path())
        ? "%s may not be read and written by this user; on most systems the group render may"
            .formatted(node.path())
        : "%s is not there; a container has to be given it".formatted(node.path());
  }

  private static Device device(DrmHost.Node node, int number) {
    Vendor vendor = VENDORS.getOrDefault(node.vendor(), Vendor.OTHER);
    String name =
        "%s GPU %s%s"
            .formatted(
                NAMES.get(vendor),
                node.model(),
                node.driver().isEmpty() ? "" : " (" + node.driver() + ")");
    return Device.of(DeviceKind.ENCODER, number)
        .withIdentity(DeviceId.of(node.pciAddress()), name, vendor)
        .withUnits(Engine.ENCODE, LEAST_UNITS)
        .withUnits(Engine.DECODE, LEAST_UNITS)
        .withMemory(node.memoryBytes())
        .withCard(new Card(node.pciAddress(), node.path().toString()));
  }

  @Override
  public Map<String, String> details(Device device) {
    Map<String, String> details = new LinkedHashMap<>();
    device
        .card()
        .ifPresent(card -> {
          details.put("PCI address", card.pciAddress());
          details.put("render node", card.renderNode());
        });
    return details;
  }

  /** What only encodes has no context here that an error could poison. */
  @Override
  public Optional<DeviceProvider> isolated() {
    return Optional.of(this);
  }

  /** Encoders open the node by themselves: the pool keeps nothing. */
  @Override
  public DeviceContext open(Device device) {
    if (!device.kind().equals(DeviceKind.ENCODER)) {
      throw new IllegalArgumentException(
          "%s is of kind %s; this backend opens encoders".formatted(device, device.kind()));
    }
    return DeviceContext.none();
  }
}
