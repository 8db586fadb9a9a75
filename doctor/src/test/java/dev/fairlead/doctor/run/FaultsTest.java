package dev.fairlead.doctor.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Card;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Vendor;
import dev.fairlead.doctor.TestingMachine;
import dev.fairlead.doctor.check.Check;
import dev.fairlead.doctor.check.Checks;
import dev.fairlead.doctor.check.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every check passes on a sound machine and fails on one that is broken in just that way. */
class FaultsTest {
  /** What checks say where nothing is broken, by the machine, the subject and the check. */
  private static final Map<String, Finding> SOUND = new ConcurrentHashMap<>();

  /** Ids of which a part is a device, a codec or a size: one row stands for all. */
  private static final List<String> FAMILIES = List.of("encode.", "peer.", "join.");

  @TempDir private Path directory;

  @AfterEach
  void clear() throws IOException {
    TestingMachine.clear();
  }

  /** What a machine is before something of it is broken. */
  enum Kind {
    NVIDIA,
    INTEL,
    /** The double decodes what the check has it decode where it does not encode. */
    INTEL_DECODER;

    TestingMachine in(Path root) throws IOException {
      return switch (this) {
        case NVIDIA -> TestingMachine.nvidia(root, 2, "610.10");
        case INTEL -> TestingMachine.intel(root);
        case INTEL_DECODER -> TestingMachine.intel(root).with("LIBVA_DOUBLE_LACKS", "0=encoding");
      };
    }
  }

  /** Breaks a machine. */
  interface Fault {
    TestingMachine on(TestingMachine machine) throws IOException;
  }

  /**
   * A row.
   *
   * @param said a part of what is said of the broken machine
   * @param remedy a part of what is to be done about it
   */
  record Row(Kind kind, String subject, String check, Fault fault, String said, String remedy) {
    String key(String id) {
      return "%s %s %s".formatted(kind, subject, id);
    }

    @Override
    public String toString() {
      return check + ": " + said;
    }
  }

  private static Fault orders(String orders) {
    return machine -> machine.with("FAIRLEAD_DOUBLE_ORDERS", orders);
  }

  private static Fault told(String variable, String value) {
    return machine -> machine.with("NVIDIA_DOUBLE_" + variable, value);
  }

  private static Fault without(String file) {
    return machine -> {
      Files.delete(machine.root().resolve(file));
      return machine;
    };
  }

  private static Fault libraries(String folder) {
    return machine -> machine.with("LD_LIBRARY_PATH", folder);
  }

  /** A library that is there and lacks what it should have. */
  private static Fault old(String property) {
    return machine -> machine.property(property, TestingMachine.emptyLibrary().toString());
  }

  static Stream<Row> rows() {
    return Stream.of(ofNvidiasMachine(), ofIntelsMachine(), ofCards(), ofEncoders(), ofAll())
        .flatMap(rows -> rows);
  }

  private static Stream<Row> ofNvidiasMachine() {
    String cuda = "fairlead.cuda.library";
    String nvml = "fairlead.nvml.library";
    return Stream.of(
        machine("library.cuda", property(cuda, "/nowhere/libcuda.so.1"), "not loaded", "libcuda1"),
        machine("library.cuda", old(cuda), "no function cuDeviceGetUuid_v2", "newer driver"),
        machine("library.nvml", property(nvml, "/nowhere/nvml"), "not loaded", "libnvidia-ml1"),
        machine("library.nvml", old(nvml), "too old, or damaged", "newer driver"),
        machine(
            "library.nvenc", libraries("/nowhere"), "libnvidia-encode.so.1", "libnvidia-encode1"),
        machine("library.nvdec", libraries("/nowhere"), "libnvcuvid.so.1", "libnvcuvid1"),
        machine("library.opencl", FaultsTest::brokenOpenCl, "libnone.so", "ocl-icd"),
        machine("driver.nvenc", told("API", "12.2"), "knows NVENC 12.2", "610"),
        machine("nodes.nvidia", without("dev/nvidia-uvm"), "/dev/nvidia-uvm", "nvidia-modprobe"),
        machine("nodes.nvidia", FaultsTest::inContainer, "/dev/nvidiactl", "--gpus all"),
        machine(
            "cards",
            machine -> machine.card("0000:5e:00.0", "0x10de", "nouveau"),
            "0000:5e:00.0 is no device",
            "nvidia-driver"),
        machine(
            "cards",
            orders("fail:cuInit:0:803"),
            "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
            "nvidia-driver"));
  }

  private static Stream<Row> ofIntelsMachine() {
    return Stream.of(
        intel("", "library.vaapi", FaultsTest::damagedVaapi, "libva-drm.so.2", "libva-drm2"),
        intel(
            "",
            "driver.vaapi",
            without("usr/lib/x86_64-linux-gnu/dri/iHD_drv_video.so"),
            "no driver of VAAPI for cards of intel",
            "intel-media-va-driver"),
        intel("", "nodes.dri", without("dev/dri/renderD128"), "renderD128 is not there", "dmesg"),
        intel("", "cards", without("dev/dri/renderD128"), "renderD128 is not there", "its node"),
        intel(
            "encoder:0",
            "encode.vaapi-h264.8bit.360p",
            machine -> machine.with("LIBVA_DRIVERS_PATH", "/nowhere"),
            "vaapi",
            "intel-media-va-driver"),
        intel(
            "encoder:0",
            "frames.device",
            machine -> machine.with("LIBVA_DOUBLE_LIES", "0=scaling"),
            "dB of the host's",
            "--frames host"),
        intel(
            "encoder:0",
            "frames.device",
            machine -> machine.with("LIBVA_DOUBLE_LACKS", "0=processing"),
            "scale_vaapi",
            "update the driver"),
        new Row(
            Kind.INTEL_DECODER,
            "encoder:0",
            "decode.h264",
            machine -> machine.with("LIBVA_DOUBLE_LIES", "0=decoding"),
            "another one",
            "--decode-device cpu"),
        new Row(
            Kind.INTEL_DECODER,
            "encoder:0",
            "decode.h264",
            machine -> machine.with("LIBVA_DOUBLE_LACKS", "0=encoding+decoding"),
            "does not decode this kind of stream",
            "--decode-device cpu"));
  }

  private static Stream<Row> ofCards() {
    return Stream.of(
        card("card", orders("mode:0:2"), "prohibited", "nvidia-smi -i 0 -c DEFAULT"),
        card("kernel", orders("idle:0"), "place 0 is wrong", "dmesg"),
        card("copies", orders("fail:cuMemcpyDtoHAsync_v2:1:700"), "700", "dmesg"),
        card("copies", orders("garble:0"), "came back changed", "memory is damaged"),
        card("memory", orders("constant:0"), "free before", "update the driver"),
        card("records", orders("silent:0"), "not among them", "--pid=host"),
        card("endless", orders("idle:0"), "computes wrongly", "Restart"),
        card("astray", orders("idle:0"), "did not notice", "Update the driver"));
  }

  private static Stream<Row> ofEncoders() {
    String h264 = "encode.nvenc-h264.8bit.360p";
    return Stream.of(
        card(h264, told("FAULTS", "0=6:fail:20"), "(20)", "dmesg"),
        card(h264, told("FAULTS", "0=6:crash"), "worker process ended", "crashed"),
        card(h264, told("LIES", "0=colours"), "came out as others", "another --codec"),
        card(h264, told("LIES", "0=key"), "does not begin with a key", "another --codec"),
        card(h264, told("API", "12.2"), "12.2", "610"),
        card("frames.device", told("LIES", "0=scaling"), "dB of the host's", "--frames host"),
        card("frames.device", told("KERNELS", "0=222"), "scale_cuda", "update the driver"),
        card("sessions", told("FAULTS", "0=100:fail:20"), "(20)", "dmesg"),
        card("decode.h264", told("LIES", "0=decoding"), "another one", "--decode-device cpu"),
        card("kills", told("FAULTS", "0=3:crash"), "worker process ended", "dmesg"),
        card("kills", orders("keep-memory:0:33554432"), "after 3 kills: ", "Update the driver"),
        card("kills", orders("keep-sessions:0"), "3 sessions, before: ", "Update the driver"),
        card(
            "kills", FaultsTest::keptSessions, "after 2 kills no encoder can be opened", "Restart"),
        card("ladder", told("FAULTS", "0=40:fail:20"), "20", "driver"));
  }

  private static Stream<Row> ofAll() {
    String peer = "peer.cuda:0.cuda:1";
    return Stream.of(
        all(peer, orders("fail:cuMemAlloc_v2:0:2:1"), "OUT_OF_MEMORY", "dmesg"),
        all(peer, orders("lose-copies:0:1"), "reach each other, but", "iommu=pt"),
        all(peer, orders("garble:1"), "came over changed", "iommu=pt"),
        all("sessions.all", FaultsTest::anotherRefusal, "number 4 is refused", "Update"),
        all("join.h264.8bit", told("FAULTS", "1=5:crash"), "worker process", "dmesg"),
        all("ladder.all", told("FAULTS", "1=20:fail:20"), "cuda:1 failed", "--devices"));
  }

  private static Row machine(String check, Fault fault, String said, String remedy) {
    return new Row(Kind.NVIDIA, "", check, fault, said, remedy);
  }

  private static Row card(String check, Fault fault, String said, String remedy) {
    return new Row(Kind.NVIDIA, "cuda:0", check, fault, said, remedy);
  }

  private static Row all(String check, Fault fault, String said, String remedy) {
    return new Row(Kind.NVIDIA, Planned.ALL, check, fault, said, remedy);
  }

  private static Row intel(String subject, String check, Fault fault, String said, String remedy) {
    return new Row(Kind.INTEL, subject, check, fault, said, remedy);
  }

  private static Fault property(String name, String value) {
    return machine -> machine.property(name, value);
  }

  /** The loader finds a file that is no library before it finds the system's. */
  private static TestingMachine damagedVaapi(TestingMachine machine) throws IOException {
    Path folder = machine.root().resolve("lib");
    TestingMachine.write(folder.resolve("libva-drm.so.2"), "not a library\n");
    return machine.with("LD_LIBRARY_PATH", folder.toString());
  }

  private static TestingMachine brokenOpenCl(TestingMachine machine) throws IOException {
    Path vendors = machine.root().resolve("vendors");
    TestingMachine.write(vendors.resolve("broken.icd"), "/nowhere/libnone.so\n");
    return machine.with("OCL_ICD_VENDORS", vendors.toString());
  }

  private static TestingMachine anotherRefusal(TestingMachine machine) {
    return machine.with("NVIDIA_DOUBLE_SESSIONS", "3").with("NVIDIA_DOUBLE_REFUSAL", "8");
  }

  /** A host with two sessions, of which one that a killed process had is never free again. */
  private static TestingMachine keptSessions(TestingMachine machine) {
    return machine.with("NVIDIA_DOUBLE_SESSIONS", "2").with("NVIDIA_DOUBLE_KEEPS", "1");
  }

  private static TestingMachine inContainer(TestingMachine machine) throws IOException {
    TestingMachine.write(machine.root().resolve(".dockerenv"), "");
    Files.delete(machine.root().resolve("dev/nvidiactl"));
    return machine;
  }

  /** What all checks of rows say where nothing is broken; those of a subject share a process. */
  private Finding onSoundMachine(Row row) throws Exception {
    String key = row.key(row.check());
    if (!SOUND.containsKey(key)) {
      List<String> ids =
          rows()
              .filter(each -> each.key("").equals(row.key("")))
              .map(Row::check)
              .distinct()
              .toList();
      TestingMachine sound = row.kind().in(directory.resolve("sound"));
      TestingChecks.run(sound, row.subject(), ids, TestingChecks.THOROUGH)
          .forEach(each -> SOUND.put(row.key(each.id()), each));
    }
    return Objects.requireNonNull(SOUND.get(key));
  }

  @Test
  void noCheckIsWithoutARow() {
    Device card =
        Device.of(DeviceKind.CUDA, 0).withIdentity(DeviceId.of("GPU-0"), "", Vendor.NVIDIA);
    Device another =
        Device.of(DeviceKind.CUDA, 1).withIdentity(DeviceId.of("GPU-1"), "", Vendor.NVIDIA);
    Device encoder =
        Device.of(DeviceKind.ENCODER, 0)
            .withIdentity(DeviceId.of("pci-0"), "", Vendor.INTEL)
            .withCard(new Card("0000:03:00.0", "/dev/dri/renderD128"));
    List<Device> devices =
        List.of(
            card, another, encoder, Device.of(DeviceKind.OPENCL, 0), Device.of(DeviceKind.CPU, 0));
    List<Check> checks = new ArrayList<>(Checks.ofMachine());
    devices.forEach(device -> checks.addAll(Checks.of(device, true)));
    checks.addAll(Checks.ofAll(devices));

    assertThat(rows().map(row -> family(row.check())))
        .containsAll(checks.stream().map(check -> family(check.id())).distinct().toList());
  }

  private static String family(String id) {
    return FAMILIES.stream().filter(id::startsWith).findFirst().orElse(id);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aCheckFailsWhereItsOwnThingIsBrokenAndPassesWhereNothingIs(Row row) throws Exception {
    TestingMachine broken = row.fault().on(row.kind().in(directory.resolve("broken")));

    Finding well = onSoundMachine(row);
    Finding ill = TestingChecks.run(broken, row.subject(), row.check());

    assertThat(well.result()).as("%s", well).isEqualTo(Finding.Result.PASS);
    assertThat(ill.result()).as("%s", ill).isNotEqualTo(Finding.Result.PASS);
    assertThat(ill.detail()).contains(row.said());
    assertThat(ill.remedy()).contains(row.remedy());
  }
}
