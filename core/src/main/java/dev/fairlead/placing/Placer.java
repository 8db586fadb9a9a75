package dev.fairlead.placing;

import dev.fairlead.device.Device;
import dev.fairlead.device.Timespan;
import dev.fairlead.lease.PoolException;
import dev.fairlead.ledger.Admission;
import dev.fairlead.ledger.Admissions;
import dev.fairlead.ledger.HeldLease;
import dev.fairlead.ledger.Ledger;
import dev.fairlead.ledger.LedgerWord;
import dev.fairlead.ledger.TrackedLease;
import dev.fairlead.policy.Choice;
import dev.fairlead.policy.Explanation;
import dev.fairlead.policy.Explanation.Finding;
import dev.fairlead.policy.Explanation.Verdict;
import dev.fairlead.policy.Placement;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.run.DeviceRuntime;
import dev.fairlead.shared.HostLimits;
import dev.fairlead.shared.ThreadCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Chooses and commits: asks the policy, then tries to make its choice true in one atomic step, and
 * asks again if another thread was faster.
 */
public final class Placer {
  /**
   * After so many others were faster, a choice is taken at whatever burden the device has by then.
   */
  private static final int RACES = 16_384;

  /** After so many looks a job that cannot start at once joins a queue. */
  private static final int LOOKS_TO_START = 2;

  /** After so many, another thread needs the core more. */
  private static final int LOOKS_BEFORE_YIELD = 16;

  /** Is notified of work that has joined the queue of a device. */
  public interface Joining {
    /**
     * Work has joined a queue.
     *
     * @param view what the work was placed by
     * @param first whether no other job in that queue would be taken over before it
     */
    void joined(TrackedLease lease, PoolCandidates view, Ledger at, boolean first);
  }

  private Placer() {}

  /**
   * Places a lease.
   *
   * @return the index that took it, or why none did, as a {@link Choice}
   */
  public static long place(PoolCandidates view, HeldLease lease, long now, Joining joining) {
    PoolCandidates starting = view.starting();
    if (starting != null && view.cursor().looksForFree()) {
      long choice = commit(starting, lease, now, joining);
      if (Choice.isPlaced(choice)) {
        return choice;
      }
      view.cursor().foundNoneFree();
    }
    return commit(view, lease, now, joining);
  }

  private static long commit(PoolCandidates view, HeldLease lease, long now, Joining joining) {
    ThreadCursor cursor = view.cursor();
    int races = 0;
    for (int looks = 0; ; looks++) {
      long choice = view.takesTurns() ? chooseInTurn(view) : choose(view);
      if (!Choice.isPlaced(choice)) {
        return choice;
      }
      int index = Choice.index(choice);
      if (view.mode() == EntryMode.START && looks >= LOOKS_TO_START && !view.available(index)) {
        return Choice.NONE;
      }
      int atMost = races < RACES ? Choice.burden(choice) : Integer.MAX_VALUE;
      Admission entry =
          lease.isPlain()
              ? enter(view, lease, index, atMost, now, joining)
              : enterWithResources(view, lease, index, atMost, now, joining);
      if (entry.isIn()) {
        cursor.placed(index);
        return choice;
      }
      if (entry == Admission.WITHDRAWN) {
        return choice;
      }
      cursor.lostRace();
      races += entry == Admission.LOCKED ? 0 : 1;
      if (looks % LOOKS_BEFORE_YIELD == LOOKS_BEFORE_YIELD - 1) {
        makeWay(entry, view.ledger(index));
      }
      if (looks >= LOOKS_BEFORE_YIELD) {
        long again = preview(view);
        if (!Choice.isPlaced(again)) {
          return again;
        }
      }
    }
  }

  /** The thread that holds a device's lock may be off its core: it is waited for, however long. */
  @SuppressWarnings("ThreadPriorityCheck")
  private static void makeWay(Admission entry, Ledger ledger) {
    if (entry == Admission.LOCKED) {
      ledger.awaitUnlocked();
    } else {
      Thread.yield();
    }
  }

  private static Admission enter(
      PoolCandidates view, HeldLease lease, int index, int atMost, long now, Joining joining) {
    Ledger ledger = view.ledger(index);
    lease.aim(ledger.host());
    Admission entry =
        switch (view.mode()) {
          case QUEUE -> Admissions.enqueue(ledger, (TrackedLease) lease, atMost, false, now);
          case START -> Admissions.enqueue(ledger, (TrackedLease) lease, atMost, true, now);
          case LEASE -> Admissions.take(ledger, lease, atMost, false, now);
          case SERVE -> Admissions.take(ledger, lease, atMost, true, now);
        };
    if (entry == Admission.QUEUED || entry == Admission.QUEUED_FIRST) {
      joining.joined((TrackedLease) lease, view, ledger, entry == Admission.QUEUED_FIRST);
    } else if (!lease.isSimple() && entry == Admission.RUNNING && lease.isJob()) {
      DeviceRuntime.start(lease);
    }
    return entry;
  }

  private static Admission enterWithResources(
      PoolCandidates view, HeldLease lease, int index, int atMost, long now, Joining joining) {
    HostLimits host = view.fleet().memory().host();
    boolean shared = host.concerns(lease.demand().resources());
    if (shared && !host.take(lease.demand().resources(), view.mode() == EntryMode.SERVE)) {
      return Admission.UNFIT;
    }
    if (lease.demand().work().isSpecified()) {
      lease.predict(view.predictedSeconds(index));
    }
    Admission entry = enter(view, lease, index, atMost, now, joining);
    if (shared && !entry.isIn()) {
      host.give(lease.demand().resources());
    }
    return entry;
  }

  /** A turn is taken before the device is: a thread that loses the race for it looks again. */
  private static long chooseInTurn(PoolCandidates view) {
    while (true) {
      int turn = view.turn();
      long choice = choose(view);
      if (!Choice.isPlaced(choice)
          || view.fleet().memory().turn().compareAndSet(turn, Choice.index(choice) + 1)) {
        return choice;
      }
    }
  }

  /**
   * What the policy would answer; a device without room that it insists on has to be waited for.
   */
  public static long preview(PoolCandidates view) {
    PoolCandidates starting = view.starting();
    if (starting != null) {
      long choice = preview(starting);
      if (Choice.isPlaced(choice)) {
        return choice;
      }
    }
    long choice = choose(view);
    int index = Choice.index(choice);
    return Choice.isPlaced(choice) && !view.available(index) ? Choice.waitFor(index) : choice;
  }

  /** The policy's answer, checked: a policy that misbehaves is an error of its own kind. */
  private static long choose(PoolCandidates view) {
    long choice;
    try {
      choice = view.choose();
    } catch (RuntimeException | Error failure) {
      throw new PoolException.PolicyFailed(
          "The policy %s threw %s; nothing was placed"
              .formatted(view.fleet().policy().name(), failure),
          failure);
    }
    int index = Choice.index(choice);
    if (choice != Choice.NONE && (index < 0 || index >= view.size() || !view.hopes(index))) {
      throw misbehaved(view, index);
    }
    return choice;
  }

  private static PoolException misbehaved(PoolCandidates view, int index) {
    return new PoolException.PolicyFailed(
        "The policy %s answered %s for %s; nothing was placed"
            .formatted(
                view.fleet().policy().name(),
                index < 0 || index >= view.size()
                    ? "index %d of %d devices".formatted(index, view.size())
                    : "%s, which is no candidate".formatted(view.fleet().ledger(index).device()),
                view.demand()),
        null);
  }

  public static Placement<Device> answer(PoolCandidates view, long choice, long now) {
    if (Choice.isPlaced(choice)) {
      return new Placement.Place<>(view.fleet().ledger(Choice.index(choice)).device());
    }
    if (!view.hopesForAny()) {
      return new Placement.Reject<>(view.objections());
    }
    if (choice == Choice.NONE) {
      return new Placement.Wait<>("no device has room now");
    }
    Ledger awaited = view.fleet().ledger(Choice.index(choice));
    return new Placement.Wait<>(
        "%s is busy and will still finish it first: it is free in %s"
            .formatted(awaited.device(), Timespan.ofSeconds(awaited.backlogSeconds(now))));
  }

  public static Explanation explain(PoolCandidates view, long choice, long now) {
    PlacementPolicy policy = view.fleet().policy();
    List<Verdict> verdicts = new ArrayList<>();
    for (DeviceRuntime runtime : view.fleet().runtimes()) {
      verdicts.add(verdict(view, runtime, choice, now));
    }
    String name =
        view.demand().affinity() == null
            ? policy.name()
            : "affinity to " + view.demand().affinity();
    return new Explanation(view.demand(), name, answer(view, choice, now), verdicts);
  }

  private static Verdict verdict(
      PoolCandidates view, DeviceRuntime runtime, long choice, long now) {
    Ledger ledger = runtime.ledger();
    int place = ledger.place();
    Optional<String> objection = view.objection(place);
    if (objection.isPresent()) {
      return verdict(ledger, Finding.INELIGIBLE, objection.get());
    }
    String account = view.fleet().policy().account(view, place);
    if (Choice.index(choice) == place) {
      return verdict(ledger, Choice.isPlaced(choice) ? Finding.CHOSEN : Finding.AWAITED, account);
    }
    if (!view.eligible(place)) {
      return verdict(ledger, Finding.INELIGIBLE, ledger.serving(serving -> serving.describe(now)));
    }
    return view.available(place)
        ? verdict(ledger, Finding.OUTDONE, account)
        : verdict(
            ledger,
            Finding.BUSY,
            (ledger.has(LedgerWord.AWAITED) ? "others wait for it: " : "no room: ")
                + ledger.load(now));
  }

  private static Verdict verdict(Ledger ledger, Finding finding, String reason) {
    return new Verdict(ledger.index(), ledger.device(), finding, reason);
  }
}
