package dev.fairlead.media.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.job.HostEvent;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.records.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EventRingTest {
  private static final JobId JOB = JobId.create();

  private final EventRing ring = new EventRing(10, List::of);
  private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();

  private final HostEvent.Listener listener =
      new HostEvent.Listener() {
        @Override
        public void on(HostEvent event) {
          heard.add(String.valueOf(event.number()));
        }

        @Override
        public void reset(List<JobStatus> jobs, long next) {
          heard.add("reset " + next);
        }
      };

  private void add(int events) {
    for (int each = 0; each < events; each++) {
      ring.add(JOB, new HostEvent.What.Changed(JobState.RUNNING, ""));
    }
  }

  private List<String> take(int count) throws InterruptedException {
    List<String> taken = new ArrayList<>();
    for (int each = 0; each < count; each++) {
      taken.add(heard.poll(20, TimeUnit.SECONDS));
    }
    return taken;
  }

  @Test
  void aListenerHearsOfAllFromANumberOn() throws Exception {
    add(5);
    try (HostEvent.Subscription _ = ring.subscribe(3, listener)) {
      assertThat(take(3)).containsExactly("3", "4", "5");
      add(2);
      assertThat(take(2)).containsExactly("6", "7");
    }
  }

  @Test
  void fromANumberThatIsTooOldItIsResetAndGoesOn() throws Exception {
    add(25);
    try (HostEvent.Subscription _ = ring.subscribe(15, listener)) {
      assertThat(take(1)).containsExactly("reset 26");
      add(1);
      assertThat(take(1)).containsExactly("26");
    }
    try (HostEvent.Subscription _ = ring.subscribe(17, listener)) {
      assertThat(take(1)).containsExactly("17");
    }
  }

  @Test
  void fromNothingOrFromANumberThatIsNotThereYetItBeginsWithAReset() throws Exception {
    add(3);
    try (HostEvent.Subscription _ = ring.subscribe(0, listener)) {
      assertThat(take(1)).containsExactly("reset 4");
      add(1);
      assertThat(take(1)).containsExactly("4");
    }
    try (HostEvent.Subscription _ = ring.subscribe(99, listener)) {
      assertThat(take(1)).containsExactly("reset 5");
    }
  }

  @Test
  void aRingThatIsClosedHandsOutWhatItHas() throws Exception {
    add(2);
    ring.close();
    add(1);
    ring.subscribe(1, listener);
    assertThat(take(2)).containsExactly("1", "2");
  }
}
