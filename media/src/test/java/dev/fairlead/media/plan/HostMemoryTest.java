package dev.fairlead.media.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostMemoryTest {
  private static final long GIB = 1L << 30;

  @TempDir private Path root;

  @BeforeEach
  void machine() throws Exception {
    write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree:         1000 kB\n");
  }

  private void write(String name, String text) throws Exception {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private long bytes() {
    return HostMemory.below(root).bytes();
  }

  @Test
  void aMachineWithoutGroupsHasWhatItHas() {
    assertThat(bytes()).isEqualTo(16 * GIB);
    assertThat(HostMemory.below(root).half()).isEqualTo(8 * GIB);
  }

  @Test
  void theOwnGroupLimits() throws Exception {
    write("proc/self/cgroup", "0::/user/job\n");
    write("sys/fs/cgroup/user/job/memory.max", "2147483648\n");
    write("sys/fs/cgroup/user/memory.max", "max\n");
    assertThat(bytes()).isEqualTo(2 * GIB);
  }

  @Test
  void aGroupAroundItMayBeNarrower() throws Exception {
    write("proc/self/cgroup", "0::/user/job\n");
    write("sys/fs/cgroup/user/job/memory.max", "max\n");
    write("sys/fs/cgroup/user/memory.max", "1073741824\n");
    write("sys/fs/cgroup/memory.max", "3221225472\n");
    assertThat(bytes()).isEqualTo(GIB);
  }

  @Test
  void theOlderHierarchyCountsToo() throws Exception {
    write("proc/self/cgroup", "5:cpu,memory:/box\n4:pids:/box\n0::/\n");
    write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "536870912\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    assertThat(bytes()).isEqualTo(GIB / 2);
  }

  @Test
  void aContainerSeesItsOwnGroupAtTheRootThoughTheKernelNamesTheHosts() throws Exception {
    write("proc/self/cgroup", "9:memory:/docker/0a1b\n0::/../../other\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "805306368\n");
    assertThat(bytes()).isEqualTo(805_306_368);
    write("sys/fs/cgroup/unified/memory.max", "402653184\n");
    assertThat(bytes()).isEqualTo(402_653_184);
  }

  @Test
  void limitsThatMeanNothingDoNotCount() throws Exception {
    write("proc/self/cgroup", "0::/job\n7:memory\nnonsense\n");
    write("sys/fs/cgroup/job/memory.max", "99999999999999999999\n");
    assertThat(bytes()).isEqualTo(16 * GIB);
    Files.delete(root.resolve("proc/meminfo"));
    assertThat(bytes()).as("nothing is known").isEqualTo(4 * GIB);
  }

  @Test
  void thisMachineHasSome() {
    assertThat(HostMemory.here().bytes()).isGreaterThan(64 << 20);
  }
}
