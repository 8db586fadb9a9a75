package dev.fairlead.drm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.BadTermException;
import dev.fairlead.device.Card;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Engine;
import dev.fairlead.device.Vendor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over a made-up description of cards, laid out as Linux does. */
class DrmProviderTest {
  @TempDir private Path directory;
  private DrmHost host = DrmHost.here();

  @BeforeEach
  void directories() throws IOException {
    host =
        new DrmHost(
            Files.createDirectories(directory.resolve("sys/class/drm")),
            Files.createDirectories(directory.resolve("dev/dri")));
  }

  private Path card(String node, String address, String vendor, String driver) throws IOException {
    Path card =
        Files.createDirectories(directory.resolve("sys/devices/pci0000:00").resolve(address));
    Files.writeString(card.resolve("vendor"), vendor + "\n");
    Files.writeString(card.resolve("device"), "0x56a0\n");
    Path drivers = Files.createDirectories(directory.resolve("sys/bus/pci/drivers/" + driver));
    Files.createSymbolicLink(card.resolve("driver"), drivers);
    Path entry = Files.createDirectories(card.resolve("drm").resolve(node));
    Files.createSymbolicLink(entry.resolve("device"), card);
    Files.createSymbolicLink(host.described().resolve(node), entry);
    Files.createFile(host.nodes().resolve(node));
    return card;
  }

  private Discovery find(String... terms) {
    return new DrmProvider(host).discover(List.of(terms));
  }

  @Test
  void cardsAreNumberedByTheirAddressesAndKeepTheirNodes() throws IOException {
    card("renderD129", "0000:03:00.0", "0x8086", "xe");
    Path amd = card("renderD128", "0000:0a:00.0", "0x1002", "amdgpu");
    Files.writeString(amd.resolve("mem_info_vram_total"), "17163091968\n");
    card("renderD130", "0000:01:00.0", "0x10de", "nvidia");
    card("renderD131", "virtio0", "0x1af4", "virtio_gpu");

    List<Device> devices = find().devices();

    assertThat(devices).extracting(Device::label).containsExactly("encoder:0", "encoder:1");
    assertThat(devices).extracting(Device::vendor).containsExactly(Vendor.INTEL, Vendor.AMD);
    assertThat(devices)
        .extracting(Device::name)
        .containsExactly("Intel GPU 0x56a0 (xe)", "AMD GPU 0x56a0 (amdgpu)");
    assertThat(devices).extracting(Device::memoryBytes).containsExactly(0L, 17_163_091_968L);
    assertThat(devices).extracting(device -> device.slots(Engine.ENCODE)).containsExactly(2, 2);
    assertThat(devices.getFirst().card())
        .contains(new Card("0000:03:00.0", host.nodes().resolve("renderD129").toString()));
    assertThat(new DrmProvider(host).details(devices.getFirst()))
        .containsEntry("PCI address", "0000:03:00.0");
  }

  @Test
  void aTermNamesOneOrAll() throws IOException {
    card("renderD128", "0000:03:00.0", "0x8086", "xe");
    card("renderD129", "0000:04:00.0", "0x8086", "xe");

    assertThat(find("encoder:1").devices()).extracting(Device::label).containsExactly("encoder:1");
    assertThat(find("encoder").devices()).hasSize(2);
    assertThat(find("encoder:0", "encoder:7").devices()).hasSize(1);
    assertThat(find("encoder:7").problems())
        .extracting(Discovery.Problem::toString)
        .containsExactly("encoder:7: there are 2 GPUs of Intel and AMD");
    assertThatThrownBy(() -> find("encoder:x"))
        .isInstanceOf(BadTermException.class)
        .hasMessageContaining("encoder:N");
  }

  @Test
  void aNodeThatIsNotThereIsAProblemWithItsRemedy() throws IOException {
    card("renderD128", "0000:03:00.0", "0x8086", "xe");
    Files.delete(host.nodes().resolve("renderD128"));

    assertThat(find().devices()).isEmpty();
    assertThat(find().problems())
        .singleElement()
        .extracting(Discovery.Problem::reason)
        .asString()
        .endsWith("renderD128 is not there; a container has to be given it");
  }

  @Test
  void aMachineWithoutGraphicsHasNeitherDevicesNorProblems() {
    DrmProvider provider =
        new DrmProvider(new DrmHost(directory.resolve("none"), directory.resolve("none")));

    assertThat(provider.discover(List.of()).devices()).isEmpty();
    assertThat(provider.discover(List.of()).problems()).isEmpty();
  }

  @Test
  void isFoundByTheServiceLoader() {
    assertThat(ServiceLoader.load(DeviceProvider.class).stream())
        .anyMatch(provider -> provider.type().equals(DrmProvider.class));
  }
}
