package dev.fairlead.doctor.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.doctor.TestingMachine;
import dev.fairlead.doctor.check.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every check passes on a sound machine and fails on one that is broken in just that way. */
class FaultsTest {
  private static final Map<String, Finding> SOUND = new ConcurrentHashMap<>();

  @TempDir private Path directory;

  @AfterEach
  void clear() throws IOException {
    TestingMachine.clear();
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
  record Row(String subject, String check, Fault fault, String said, String remedy) {
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

  static Stream<Row> rows() {
    String card = "cuda:0";
    String h264 = "encode.nvenc-h264.8bit.360p";
    return Stream.of(
        new Row(
            "",
            "library.nvenc",
            libraries("/nowhere"),
            "libnvidia-encode.so.1",
            "libnvidia-encode1"),
        new Row("", "library.nvdec", libraries("/nowhere"), "libnvcuvid.so.1", "libnvcuvid1"),
        new Row("", "library.opencl", FaultsTest::brokenOpenCl, "libnone.so", "ocl-icd"),
        new Row("", "driver.nvenc", told("API", "12.2"), "knows NVENC 12.2", "610"),
        new Row(
            "", "nodes.nvidia", without("dev/nvidia-uvm"), "/dev/nvidia-uvm", "nvidia-modprobe"),
        new Row("", "nodes.nvidia", FaultsTest::inContainer, "/dev/nvidiactl", "--gpus all"),
        new Row(
            "",
            "cards",
            machine -> machine.card("0000:5e:00.0", "0x10de", "nouveau"),
            "0000:5e:00.0 is no device",
            "nvidia-driver"),
        new Row(
            "",
            "cards",
            orders("fail:cuInit:0:803"),
            "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
            "nvidia-driver"),
        new Row(card, "card", orders("mode:0:2"), "prohibited", "nvidia-smi -i 0 -c DEFAULT"),
        new Row(card, "kernel", orders("idle:0"), "place 0 is wrong", "dmesg"),
        new Row(card, "copies", orders("fail:cuMemcpyDtoHAsync_v2:1:700"), "700", "dmesg"),
        new Row(card, "memory", orders("constant:0"), "free before", "update the driver"),
        new Row(card, "records", orders("silent:0"), "not among them", "--pid=host"),
        new Row(card, "endless", orders("idle:0"), "computes wrongly", "Restart"),
        new Row(card, "astray", orders("idle:0"), "did not notice", "Update the driver"),
        new Row(
            "all",
            "peer.cuda:0.cuda:1",
            orders("fail:cuMemAlloc_v2:0:2:1"),
            "OUT_OF_MEMORY",
            "dmesg"),
        new Row(card, h264, told("FAULTS", "0=30:fail:20"), "(20)", "dmesg"),
        new Row(card, h264, told("FAULTS", "0=30:crash"), "worker process ended", "crashed"),
        new Row(
            card,
            h264,
            told("LIES", "0=colours"),
            "pictures came out as others",
            "another --codec"),
        new Row(card, h264, told("LIES", "0=key"), "does not begin with a key", "another --codec"),
        new Row(card, h264, told("API", "12.2"), "12.2", "610"),
        new Row(
            card, "frames.device", told("LIES", "0=scaling"), "dB of the host's", "--frames host"),
        new Row(card, "frames.device", told("KERNELS", "0=222"), "scale_cuda", "update the driver"),
        new Row(card, "sessions", told("FAULTS", "0=100:fail:20"), "(20)", "dmesg"),
        new Row(card, "kills", told("FAULTS", "0=3:crash"), "worker process ended", "dmesg"),
        new Row("all", "sessions.all", FaultsTest::anotherRefusal, "number 4 is refused", "Update"),
        new Row("all", "join.h264.8bit", told("FAULTS", "1=5:crash"), "worker process", "dmesg"));
  }

  private static TestingMachine brokenOpenCl(TestingMachine machine) throws IOException {
    Path vendors = machine.root().resolve("vendors");
    TestingMachine.write(vendors.resolve("broken.icd"), "/nowhere/libnone.so\n");
    return machine.with("OCL_ICD_VENDORS", vendors.toString());
  }

  private static TestingMachine anotherRefusal(TestingMachine machine) {
    return machine.with("NVIDIA_DOUBLE_SESSIONS", "3").with("NVIDIA_DOUBLE_REFUSAL", "8");
  }

  private static TestingMachine inContainer(TestingMachine machine) throws IOException {
    TestingMachine.write(machine.root().resolve(".dockerenv"), "");
    Files.delete(machine.root().resolve("dev/nvidiactl"));
    return machine;
  }

  /** Each check is run there once. */
  private Finding onSoundMachine(Row row) throws Exception {
    String key = row.subject() + " " + row.check();
    Finding known = SOUND.get(key);
    if (known == null) {
      TestingMachine sound = TestingMachine.nvidia(directory.resolve("sound"), 2, "610.10");
      known = TestingChecks.run(sound, row.subject(), row.check());
      SOUND.put(key, known);
    }
    return known;
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aCheckFailsWhereItsOwnThingIsBrokenAndPassesWhereNothingIs(Row row) throws Exception {
    TestingMachine broken =
        row.fault().on(TestingMachine.nvidia(directory.resolve("broken"), 2, "610.10"));

    Finding well = onSoundMachine(row);
    Finding ill = TestingChecks.run(broken, row.subject(), row.check());

    assertThat(well.result()).as("%s", well).isEqualTo(Finding.Result.PASS);
    assertThat(ill.result()).as("%s", ill).isNotEqualTo(Finding.Result.PASS);
    assertThat(ill.detail()).contains(row.said());
    assertThat(ill.remedy()).contains(row.remedy());
  }
}
