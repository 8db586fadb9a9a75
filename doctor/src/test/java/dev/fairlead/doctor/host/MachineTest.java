package dev.fairlead.doctor.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Vendor;
import dev.fairlead.doctor.TestingMachine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineTest {
  @TempDir private Path root;

  @Test
  void cardsAreGraphicsOfKnownVendorsWithTheirDriversAndNodes() throws Exception {
    TestingMachine.bare(root)
        .card("0000:3c:00.0", "0x1002", "amdgpu")
        .node("0000:3c:00.0", "renderD129")
        .card("0000:3b:00.0", "0x10de", "nouveau")
        .card("0000:01:00.0", "0x1a03", "ast");

    assertThat(new Machine(root).cards())
        .containsExactly(
            new PciCard("0000:3b:00.0", Vendor.NVIDIA, "nouveau", List.of()),
            new PciCard("0000:3c:00.0", Vendor.AMD, "amdgpu", List.of("/dev/dri/renderD129")));
  }

  @Test
  void theVersionOfNvidiasDriverIsReadFromEitherPlace() throws Exception {
    Machine machine = new Machine(root);
    assertThat(machine.nvidiaDriver()).isEmpty();

    for (String text :
        List.of(
            "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.54.03  Tue Jun  6 22:20:39 UTC 2023\n",
            "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  535.54.03  Release Build\n")) {
      TestingMachine.write(root.resolve("proc/driver/nvidia/version"), text);
      assertThat(machine.nvidiaDriver()).contains("535.54.03");
    }
    TestingMachine.write(root.resolve("sys/module/nvidia/version"), "610.10\n");
    assertThat(machine.nvidiaDriver()).contains("610.10");
  }

  @Test
  void aDriverOfVaapiIsAnotherOneWhenItsFileIs() throws Exception {
    TestingMachine.bare(root).card("0000:3c:00.0", "0x1002", "amdgpu");
    Path file = root.resolve("usr/lib/x86_64-linux-gnu/dri/radeonsi_drv_video.so");
    TestingMachine.write(file, "one");
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
    Machine machine = new Machine(root);
    PciCard card = machine.cards().getFirst();
    String before = Drivers.of(card, machine);

    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-02-01T00:00:00Z")));

    assertThat(before).startsWith("amdgpu of Linux 6.1.0-18-amd64, radeonsi_drv_video.so");
    assertThat(Drivers.of(card, machine)).isNotEqualTo(before);
  }

  @Test
  void containersAreKnownByWhatTheirMakersLeaveThere() throws Exception {
    assertThat(new Machine(root).isContainer()).isFalse();
    TestingMachine.write(root.resolve("proc/1/cgroup"), "0::/docker/5f0c\n");
    assertThat(new Machine(root).isContainer()).isTrue();
  }
}
