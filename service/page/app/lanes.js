/** What is older than this is of no lane any more. */
const KEPT_MILLIS = 16 * 60_000;
const MOST_BARS = 20_000;

/**
 * What each device did and does: a bar for each attempt at a chunk.
 *
 * Events tell seconds since their job began to run, not the time of day. A clock, one for each time
 * that a job begins or goes on, says when that was: events come at once or late, never early, so the
 * earliest beginning that any event allows is the best that is known, and bars move with it. Events of
 * the past tell only the order of things: their bars are shown when a later event, or the end of the
 * job, says when all of it was.
 */
export class Lanes {
  bars = [];
  #slots = new Map();
  #clocks = new Map();
  #rungs = new Map();

  /** Takes an event that came at a time (milliseconds), `old` if it had happened before that. */
  add(event, at, old = false) {
    const { job } = event;
    if (job === undefined) {
      return;
    }
    if (event.event === 'state') {
      if (event.state !== 'running' && event.state !== 'queued') {
        this.#stop(job, at, old);
      }
      return;
    }
    const clock = this.#clock(event, at, old);
    switch (event.event) {
      case 'planned':
        event.rungs.forEach(({ name }) => this.colour(name));
        break;
      case 'started':
        this.#start(event, clock);
        break;
      case 'committed':
        this.#commit(event, clock);
        break;
      case 'requeued':
        this.#end(this.#open(event), event.seconds, 'failed', event.reason);
        break;
      case 'notice':
        this.#interrupt(event);
        break;
      default:
    }
  }

  /** How many chunks each device works on at a time. */
  devices(devices) {
    devices.forEach(({ label, slots }) => this.#slots.set(label, slots));
  }

  /** A job was over at a time. */
  ended(job, at) {
    const clock = this.#clocks.get(job);
    if (clock) {
      clock.begun = Math.min(clock.begun, at - clock.seconds * 1_000);
      clock.isKnown = true;
    }
  }

  /** Bars of which it is known when they were, and that are not over before a time. */
  since(from) {
    return this.bars.filter((bar) => isKnown(bar.clock) && end(bar) > from);
  }

  /** The number of a rung's colour; rungs have theirs in the order in which they were planned. */
  colour(rung) {
    if (!this.#rungs.has(rung)) {
      this.#rungs.set(rung, this.#rungs.size % 7);
    }
    return this.#rungs.get(rung);
  }

  /** Forgets what is too old to be shown. */
  trim(now) {
    const kept = this.bars.filter((bar) => bar.to === null || end(bar) > now - KEPT_MILLIS);
    this.bars = kept.slice(-MOST_BARS);
  }

  #clock({ job, event, seconds }, at, old) {
    const begun = at - seconds * 1_000;
    const before = this.#clocks.get(job);
    if (!before || event === 'planned' || seconds < before.seconds - 1) {
      const clock = { begun, seconds, isKnown: !old, next: undefined };
      if (before) {
        before.next = clock;
      }
      this.#clocks.set(job, clock);
      return clock;
    }
    before.begun = Math.min(before.begun, begun);
    before.seconds = Math.max(before.seconds, seconds);
    before.isKnown ||= !old;
    return before;
  }

  #open({ job, rung, chunk, device }) {
    return this.bars.findLast(
      (bar) =>
        bar.to === null &&
        bar.job === job &&
        bar.rung === rung &&
        bar.chunk === chunk &&
        (device === undefined || bar.device === device),
    );
  }

  #start({ job, rung, chunk, device, seconds }, clock) {
    const slot = this.#slot(this.bars.filter((bar) => bar.to === null && bar.device === device), device);
    this.bars.push({
      job, rung, chunk, device, slot, clock, colour: this.colour(rung),
      from: seconds, to: null, ending: 'running', reason: '', frames: 0, bytes: 0,
    });
  }

  /** A free slot; else that of the oldest, which is done though the news of it is yet to come. */
  #slot(open, device) {
    const taken = new Set(open.map((bar) => bar.slot));
    for (let slot = 0; slot < (this.#slots.get(device) ?? 1); slot++) {
      if (!taken.has(slot)) {
        return slot;
      }
    }
    return open[0].slot;
  }

  #commit(event, clock) {
    if (!this.#open(event)) {
      this.#start(event, clock);
    }
    const bar = this.#open(event);
    // News of a commit comes late; the device's own times do not.
    bar.from = event.fromSeconds;
    bar.frames = event.frames;
    bar.bytes = event.bytes;
    this.#end(bar, event.fromSeconds + event.busySeconds, 'committed', '');
    const clone = this.#open({ ...event, device: undefined });
    this.#end(clone, event.seconds, 'overtaken', 'another device was first');
  }

  #interrupt({ job, seconds, what, interrupted = [] }) {
    const units = new Set(interrupted);
    this.bars
      .filter((bar) => bar.to === null && bar.job === job && units.has(unit(bar)))
      .forEach((bar) => this.#end(bar, seconds, 'failed', what));
  }

  #stop(job, at, old) {
    this.bars
      .filter((bar) => bar.to === null && bar.job === job)
      .forEach((bar) => {
        const seconds = old ? bar.clock.seconds : (at - begun(bar.clock)) / 1_000;
        this.#end(bar, seconds, 'stopped', '');
      });
  }

  #end(bar, seconds, ending, reason) {
    if (bar) {
      bar.to = Math.max(bar.from, seconds);
      bar.ending = ending;
      bar.reason = reason;
    }
  }
}

function isKnown(clock) {
  return clock.isKnown || (clock.next !== undefined && isKnown(clock.next));
}

/** When a clock began; it had run out before the next one of its job did. */
function begun(clock) {
  return clock.next === undefined
    ? clock.begun
    : Math.min(clock.begun, begun(clock.next) - clock.seconds * 1_000);
}

/** When a bar begins, as a time of day. */
export function start(bar) {
  return begun(bar.clock) + bar.from * 1_000;
}

/** When a bar has ended; endless while it goes on. */
export function end(bar) {
  return bar.to === null ? Infinity : begun(bar.clock) + bar.to * 1_000;
}

/**
 * Frames a second that all devices encode, a figure for each step of time. The frames of a chunk
 * count evenly over its time; those of a chunk at work as fast as the last one of its rung there.
 */
export function throughput(bars, from, to, step) {
  const rates = new Array(Math.ceil((to - from) / step)).fill(0);
  const pace = new Map();
  for (const bar of bars) {
    const key = `${bar.device} ${bar.rung}`;
    let rate = pace.get(key) ?? 0;
    if (bar.frames > 0 && bar.to > bar.from) {
      rate = bar.frames / (bar.to - bar.from);
      pace.set(key, rate);
    } else if (bar.to !== null) {
      continue; // nothing has come of it
    }
    const begins = start(bar);
    const ends = Math.min(end(bar), to);
    const last = Math.min(rates.length - 1, Math.floor((ends - from) / step));
    for (let i = Math.max(0, Math.floor((begins - from) / step)); i <= last; i++) {
      const covered = Math.min(ends, from + (i + 1) * step) - Math.max(begins, from + i * step);
      rates[i] += (rate * Math.max(0, covered)) / step;
    }
  }
  return rates;
}

/** A chunk of a rung as events name it among others. */
function unit({ rung, chunk }) {
  return `${rung}/${String(chunk).padStart(6, '0')}`;
}
