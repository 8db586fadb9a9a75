import { ask, drawnId, Refusal } from './api.js';

const PIECE = 8 * 1024 * 1024;
const TRIES = 8;
const LONGEST_MILLIS = 8_000;

/** A file on its way to the server, in pieces; a piece that fails goes on where the server is. */
export class Upload {
  id = drawnId();
  sent = 0;
  problem = '';
  #file;
  #ending = new AbortController();

  constructor(file) {
    this.#file = file;
  }

  get name() {
    return this.#file.name;
  }

  get size() {
    return this.#file.size;
  }

  cancel() {
    this.#ending.abort();
  }

  /** Sends all of it, then submits a job of it; gives the job. */
  async run(submission, moved) {
    if (this.size === 0) {
      throw new Refusal(0, `${this.name} is empty.`);
    }
    const { signal } = this.#ending;
    let failures = 0;
    while (this.sent < this.size) {
      try {
        this.sent = await this.#piece(signal);
        this.problem = '';
        failures = 0;
      } catch (refusal) {
        if (signal.aborted || !passing(refusal) || ++failures >= TRIES) {
          throw refusal;
        }
        this.problem = 'Interrupted; trying again.';
        moved();
        await pause(Math.min(LONGEST_MILLIS, 500 * 2 ** failures), signal);
        this.sent = await this.#offset(signal).catch(() => this.sent);
      }
      moved();
    }
    return ask(
      'POST',
      '/v1/jobs',
      { upload: this.id, name: this.name, ...submission },
      { headers: { 'Idempotency-Key': this.id }, signal },
    );
  }

  async #piece(signal) {
    const to = Math.min(this.size, this.sent + PIECE);
    const answer = await fetch(`/v1/uploads/${this.id}`, {
      method: 'PUT',
      headers: { 'Content-Range': `bytes ${this.sent}-${to - 1}/${this.size}` },
      body: this.#file.slice(this.sent, to),
      signal,
    });
    if (!answer.ok) {
      const said = await answer.json().catch(() => ({}));
      throw new Refusal(answer.status, said.detail ?? `The server says ${answer.status}.`);
    }
    return Number(answer.headers.get('Upload-Offset') ?? to);
  }

  async #offset(signal) {
    const answer = await fetch(`/v1/uploads/${this.id}`, { method: 'HEAD', signal });
    return answer.ok ? Number(answer.headers.get('Upload-Offset')) : 0;
  }
}

/** Whether it may be otherwise in a moment: no connection, a request before that still goes on, a server that stops. */
function passing(failure) {
  return !(failure instanceof Refusal) || [0, 408, 409, 429, 502, 503, 504].includes(failure.status);
}

function pause(millis, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
