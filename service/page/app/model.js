import { ask, jobPath, Refusal } from './api.js';
import { Lanes } from './lanes.js';
import { link } from './link.js';

const ACTIVE = ['running', 'queued', 'parked', 'paused'];
const PAGE = 100;
const MOST = 1_000;

/** Jobs that changed at once beyond this are asked for as lists, not one by one. */
const FEW = 20;
const DEVICES_MILLIS = 2_000;
const SOON_MILLIS = 150;

/**
 * What this tab knows: jobs, devices, lanes and the connection. Events change it, and say which jobs
 * to ask the server for. It tells the parts of the page (`change`) at most every quarter of a second,
 * and nothing while the tab is hidden.
 */
export class Model extends EventTarget {
  static #TELL_MILLIS = 250;

  jobs = new Map();
  devices = [];
  lanes = new Lanes();
  connection = 'lost';
  connected = false;
  needsToken = false;
  loaded = false;
  plans = new Map();
  progress = new Map();
  after = undefined;
  #routes = new Set();

  #changed = new Set();
  #stale = true;
  #telling = 0;
  #asking = 0;
  #link;

  start() {
    this.#link = link((message) => this.#take(message));
    this.#learn();
    document.addEventListener('visibilitychange', () => this.#seen());
    setInterval(() => this.#look(), DEVICES_MILLIS);
    this.#soon();
  }

  active() {
    return [...this.jobs.values()].filter(({ state }) => ACTIVE.includes(state));
  }

  isActive(job) {
    return ACTIVE.includes(job.state);
  }

  /** Whether the server can be asked this: `retry` of a job, `explain`. */
  canAsk(verb) {
    return this.#routes.has(`/v1/jobs/{id}/${verb}`);
  }

  /** Has someone signed in, or something else changed that may let us in: begins anew. */
  begin() {
    this.needsToken = false;
    this.#stale = true;
    this.#link.hurry();
    this.#soon();
    this.tell();
  }

  /** Nobody is signed in any more, in no tab. */
  end() {
    this.#link.renew();
    this.#forget();
  }

  /** A job as an answer had it. */
  put(job) {
    const before = this.jobs.get(job.id);
    this.jobs.set(job.id, job);
    this.#pin(job);
    if (before && before.state !== job.state) {
      this.dispatchEvent(new CustomEvent('state', { detail: job }));
    }
    this.tell();
  }

  #pin({ id, endedAt }) {
    if (endedAt) {
      this.lanes.ended(id, Date.parse(endedAt));
    }
  }

  remove(id) {
    this.jobs.delete(id);
    this.progress.delete(id);
    this.plans.delete(id);
    this.tell();
  }

  /** Jobs before those that are known. */
  async more() {
    const page = await ask('GET', `/v1/jobs?limit=${PAGE}&after=${encodeURIComponent(this.after)}`);
    page.jobs.filter(({ id }) => !this.jobs.has(id)).forEach((job) => this.jobs.set(job.id, job));
    this.after = page.next ?? undefined;
    this.tell();
  }

  tell() {
    if (this.#telling === 0 && !document.hidden) {
      this.#telling = setTimeout(() => {
        this.#telling = 0;
        this.dispatchEvent(new Event('change'));
      }, Model.#TELL_MILLIS);
    }
  }

  #take({ at, events, old, connection }) {
    if (connection !== undefined) {
      this.#connection(connection);
    }
    for (const event of events ?? []) {
      this.#event(event, at, old);
    }
    this.tell();
  }

  #connection(connection) {
    const live = connection === 'live';
    if (connection === 'sign-in') {
      this.#forget();
    }
    if (live && this.connection !== 'live') {
      this.#stale = true; // whatever happened meanwhile
      this.#soon();
    }
    this.connection = live ? 'live' : 'lost';
    this.connected ||= live;
  }

  /** Whoever signs in next may be somebody else. */
  #forget() {
    this.needsToken = true;
    this.jobs = new Map();
    this.lanes = new Lanes();
    this.plans.clear();
    this.progress.clear();
    this.tell();
  }

  #event(event, at, old) {
    this.lanes.add(event, at, old);
    switch (event.event) {
      case 'reset':
        this.#stale = true;
        this.#learn();
        this.#soon();
        break;
      case 'state':
        if (!old) {
          this.#state(event);
        }
        break;
      case 'planned':
        this.plans.set(event.job, event);
        break;
      case 'progress':
        this.progress.set(event.job, event);
        break;
      default:
    }
  }

  #state({ job: id, state, reason = '' }) {
    const job = this.jobs.get(id);
    if (job && job.state !== state) {
      this.put({ ...job, state, reason });
    }
    if (!ACTIVE.includes(state)) {
      this.progress.delete(id);
    }
    this.#note(id);
  }

  /** A job is to be asked for. */
  #note(id) {
    this.#changed.add(id);
    this.#soon();
  }

  #soon() {
    if (this.#asking === 0 && !document.hidden) {
      this.#asking = setTimeout(async () => {
        await this.#refresh();
        this.#asking = 0;
        if (this.#stale ? this.connection === 'live' : this.#changed.size > 0) {
          this.#soon();
        }
      }, SOON_MILLIS);
    }
  }

  #seen() {
    if (!document.hidden) {
      this.tell();
      this.#look();
      this.#soon();
    }
  }

  async #refresh() {
    const changed = [...this.#changed];
    this.#changed.clear();
    try {
      if (this.#stale || changed.length > FEW) {
        this.#stale = false;
        await this.#lists();
      } else {
        await Promise.all(changed.map((id) => this.#one(id)));
      }
      this.loaded = true;
      this.needsToken = false;
    } catch (refusal) {
      this.#refused(refusal);
      this.#stale = true;
    }
    this.tell();
  }

  #refused(refusal) {
    if (!(refusal instanceof Refusal)) {
      throw refusal;
    }
    if (refusal.status === 401) {
      this.needsToken = true;
    }
  }

  async #one(id) {
    try {
      this.put(await ask('GET', jobPath(id)));
    } catch (refusal) {
      if (refusal.status !== 404) {
        throw refusal;
      }
      this.remove(id);
    }
  }

  /** Which routes there are; another start of the server may have others. */
  async #learn() {
    try {
      this.#routes = new Set(Object.keys((await ask('GET', '/v1/openapi.json')).paths));
    } catch (refusal) {
      this.#refused(refusal);
    }
    this.tell();
  }

  /** All that are not over, and the newest of all. */
  async #lists() {
    const known = new Map();
    const lists = ACTIVE.map((state) => `/v1/jobs?limit=${MOST}&state=${state}`);
    const pages = await Promise.all([`/v1/jobs?limit=${PAGE}`, ...lists].map((path) => ask('GET', path)));
    pages.forEach(({ jobs }) => jobs.forEach((job) => known.set(job.id, job)));
    this.after = pages[0].next ?? undefined;
    const before = this.jobs;
    this.jobs = known;
    for (const job of known.values()) {
      this.#pin(job);
      const was = before.get(job.id);
      if (was && was.state !== job.state) {
        this.dispatchEvent(new CustomEvent('state', { detail: job }));
      }
    }
    await this.#look();
  }

  async #look() {
    if (document.hidden || this.needsToken) {
      return;
    }
    this.lanes.trim(Date.now());
    try {
      this.devices = (await ask('GET', '/v1/devices')).devices;
      this.lanes.devices(this.devices);
    } catch (refusal) {
      this.#refused(refusal);
    }
    this.tell();
  }
}

/** How far a job is, by its last event or else by the answer that has it. */
export function progressOf(model, job) {
  const live = model.progress.get(job.id);
  if (job.state === 'done') {
    return { share: 1, framesPerSecond: 0, secondsLeft: 0 };
  }
  if (live && live.rungs.length > 0) {
    const { rungs } = live;
    return {
      share: rungs.reduce((sum, rung) => sum + rung.share, 0) / rungs.length,
      framesPerSecond: rungs.reduce((sum, rung) => sum + rung.framesPerSecond, 0),
      secondsLeft: Math.max(...rungs.map((rung) => rung.secondsLeft)),
    };
  }
  return job.progress ?? { share: 0, framesPerSecond: 0, secondsLeft: 0 };
}
