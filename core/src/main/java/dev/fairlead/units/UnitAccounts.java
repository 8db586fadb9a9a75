package dev.fairlead.units;

import dev.fairlead.device.Fault;
import dev.fairlead.policy.FairBooks;
import dev.fairlead.policy.Forecast;
import dev.fairlead.stats.Ticker;

/**
 * Reports what units do to the books of the tenants: what waits, and what each try costs its
 * tenant. Clones are free, and so are tries that a device has failed. Owned by the scheduler.
 */
final class UnitAccounts {
  private final FairBooks books;
  private final Forecast forecast;
  private final Ticker ticker;

  UnitAccounts(FairBooks books, Forecast forecast, Ticker ticker) {
    this.books = books;
    this.forecast = forecast;
    this.ticker = ticker;
  }

  /** As many units of the party wait as are listed. */
  void waiting(PartyBooks party, boolean whole) {
    books.waiting(party.job(), whole, party.offered(whole).size(), ticker.nanos());
  }

  void started(UnitAttempt attempt, PartyBooks party) {
    if (!attempt.isClone()) {
      attempt.charge(
          books.started(
              party.job(),
              forecast,
              attempt.unit().demand().work(),
              attempt.served().number(),
              ticker.nanos()));
    }
  }

  /** A try that ran has ended. */
  void ended(UnitAttempt attempt, UnitAttempt.Ending ending, long now) {
    FairBooks.Charge charge = attempt.charge();
    if (charge != null && attempt.hasStarted() && !isFree(ending)) {
      attempt.charge(null);
      books.ended(charge, attempt.heldNanos(now) / 1e9);
    }
  }

  /** A try is over; if nothing was settled for it, it costs nothing. */
  void returned(UnitAttempt attempt) {
    FairBooks.Charge charge = attempt.charge();
    if (charge != null) {
      attempt.charge(null);
      books.returned(charge);
    }
  }

  private static boolean isFree(UnitAttempt.Ending ending) {
    return switch (ending) {
      case UnitAttempt.Ending.Done _ -> false;
      case UnitAttempt.Ending.Unplaced _ -> true;
      case UnitAttempt.Ending.Failed(Throwable cause) ->
          cause instanceof UnfitForGroup || Fault.of(cause) != Fault.WORK;
    };
  }
}
