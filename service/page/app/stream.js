import { EventReader } from './sse.js';

/** Nothing at all for so long, not even a comment: the connection is dead. */
const SILENCE_MILLIS = 40_000;
const SOONEST_MILLIS = 500;
const LATEST_MILLIS = 5_000;

/** How many events before the present are asked for, so that lanes are not empty at first. */
const HISTORY = 3_000;

/**
 * Follows the events of all jobs, and begins again whenever the connection ends. `fetch` and not
 * `EventSource`: that hides statuses and comments, so neither a missing token nor a dead connection
 * could be told.
 */
export class Stream {
  #sink;
  #last = '';
  #present = -1;
  #ending = new AbortController();
  #wake = () => {};
  #tries = 0;
  #connection;

  /** @param sink has `events(list, old)` and `connection('live' | 'lost' | 'sign-in')` */
  constructor(sink) {
    this.#sink = sink;
  }

  async run() {
    while (!this.#ending.signal.aborted) {
      const status = await this.#once();
      this.#sink.connection(status === 401 ? 'sign-in' : 'lost');
      await this.#pause(status === 401 ? LATEST_MILLIS : this.#delay());
    }
  }

  /** Tries now, if it waits. */
  hurry() {
    this.#tries = 0;
    this.#wake();
  }

  /** Connects anew, as whoever is signed in now. */
  renew() {
    this.#connection?.abort();
    this.hurry();
  }

  end() {
    this.#ending.abort();
    this.#wake();
  }

  #delay() {
    const longest = Math.min(LATEST_MILLIS, SOONEST_MILLIS * 2 ** this.#tries);
    this.#tries++;
    return longest * (0.5 + Math.random() / 2);
  }

  #pause(millis) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, millis);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** One connection, to its end; gives its status, or 0. */
  async #once() {
    const connection = new AbortController();
    this.#connection = connection;
    const stop = () => connection.abort();
    this.#ending.signal.addEventListener('abort', stop);
    let watchdog = setTimeout(stop, SILENCE_MILLIS);
    try {
      const headers = { Accept: 'text/event-stream' };
      if (this.#last) {
        headers['Last-Event-ID'] = this.#last;
      }
      const answer = await fetch('/v1/events', {
        headers,
        cache: 'no-store',
        signal: connection.signal,
      });
      if (!answer.ok) {
        return answer.status;
      }
      this.#tries = 0;
      const reader = new EventReader();
      const text = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let first = true;
      for (;;) {
        const { value, done } = await text.read();
        if (done) {
          return answer.status;
        }
        clearTimeout(watchdog);
        watchdog = setTimeout(stop, SILENCE_MILLIS);
        const events = reader.read(value);
        if (this.#last === '' && events.length > 0 && this.#rewind(events[0])) {
          this.#tries = 0;
          return await this.#again(stop);
        }
        if (first) {
          first = false;
          this.#sink.connection('live');
        }
        this.#take(events);
      }
    } catch {
      return 0;
    } finally {
      clearTimeout(watchdog);
      this.#ending.signal.removeEventListener('abort', stop);
      connection.abort();
    }
  }

  /** The first connection says only where the present is; the next begins some events before. */
  #rewind(reset) {
    const [, boot, number] = /^(.*)-(\d+)$/.exec(reset.id ?? '') ?? [];
    if (!(number > 0)) {
      return false;
    }
    this.#present = Number(number);
    this.#last = `${boot}-${Math.max(0, number - HISTORY)}`;
    return true;
  }

  #again(stop) {
    stop();
    return this.#once();
  }

  #take(events) {
    const old = [];
    const fresh = [];
    for (const { id, name, data } of events) {
      this.#last = id ?? this.#last;
      if (name === 'reset') {
        this.#present = -1; // another start of the server, or too much was missed
      }
      (numberOf(this.#last) <= this.#present ? old : fresh).push(JSON.parse(data));
    }
    if (old.length > 0) {
      this.#sink.events(old, true);
    }
    if (fresh.length > 0) {
      this.#sink.events(fresh, false);
    }
  }
}

function numberOf(id) {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}
