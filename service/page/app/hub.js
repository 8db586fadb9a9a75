import { Stream } from './stream.js';

const MOST_KEPT = 6_000;

/** One stream of events for any number of tabs. Who joins late is told what the others know. */
export class Hub {
  #members = new Set();
  #kept = [];
  #connection = 'lost';
  #stream = new Stream({
    events: (events, old) => this.#events(events, old),
    connection: (connection) => this.#connected(connection),
  });

  constructor() {
    this.#stream.run();
  }

  /** @param send takes `{at, events, old}` and `{connection}` */
  join(send) {
    this.#members.add(send);
    this.#kept.forEach(send);
    send({ connection: this.#connection });
    this.#stream.hurry();
  }

  leave(send) {
    this.#members.delete(send);
  }

  hurry() {
    this.#stream.hurry();
  }

  renew() {
    this.#stream.renew();
  }

  #events(events, old) {
    const batch = { at: Date.now(), events, old };
    const lasting = events.filter(({ event }) => event !== 'progress' && event !== 'segment');
    if (lasting.length > 0) {
      this.#kept.push({ ...batch, events: lasting });
      if (this.#kept.length > MOST_KEPT) {
        this.#kept.splice(0, MOST_KEPT / 2);
      }
    }
    this.#members.forEach((send) => send(batch));
  }

  #connected(connection) {
    this.#connection = connection;
    if (connection === 'sign-in') {
      this.#kept = []; // whoever signs in next may be somebody else
    }
    this.#members.forEach((send) => send({ connection }));
  }
}
