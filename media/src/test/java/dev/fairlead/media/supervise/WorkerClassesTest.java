package dev.fairlead.media.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.worker.CodecUnpacking;
import dev.fairlead.media.worker.WorkerMain;
import org.junit.jupiter.api.Test;

/** The parent knows the classes that its worker starts with by their names only. */
class WorkerClassesTest {
  @Test
  void theNamesAreThoseOfTheClasses() {
    assertThat(WorkerProcess.WORKER).isEqualTo(WorkerMain.class.getName());
    assertThat(CodecCache.UNPACKING).isEqualTo(CodecUnpacking.class.getName());
  }
}
