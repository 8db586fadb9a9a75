import { html, nothing } from 'lit';
import { model, Part } from './part.js';
import { progressOf } from './model.js';
import { say } from './say.js';
import { isSignedIn, signOut } from './signin-view.js';
import { devicesInWords } from './lanes-view.js';
import { duration, number } from './words.js';
import './chart-view.js';
import './job-view.js';
import './jobs-view.js';
import './submit-view.js';

const ENDS = { done: 'is done', failed: 'has failed', cancelled: 'is cancelled', paused: 'is paused' };

/** The whole page: its head, and below it all jobs or one of them. */
class Page extends Part {
  static properties = { place: { state: true } };

  #connection = '';

  constructor() {
    super();
    this.place = place();
    addEventListener('hashchange', () => this.#go());
    model.addEventListener('state', ({ detail: job }) => {
      if (job.state in ENDS) {
        say(`${job.name} ${ENDS[job.state]}.`);
      }
    });
  }

  #go() {
    const before = this.place.job;
    this.place = place();
    if (this.place.job !== before) {
      scrollTo(0, 0);
      this.updateComplete.then(() => {
        const part = this.querySelector('main > :first-child');
        (part?.updateComplete ?? Promise.resolve()).then(() => this.querySelector('h1')?.focus());
      });
    }
  }

  updated() {
    document.title = this.#title();
    if (model.connected && model.connection !== this.#connection) {
      if (this.#connection !== '') {
        say(model.connection === 'live' ? 'Connected again.' : 'The connection to the server is lost.');
      }
      this.#connection = model.connection;
    }
  }

  #title() {
    const job = this.place.job && model.jobs.get(this.place.job);
    const running = [...model.jobs.values()].filter(({ state }) => state === 'running').length;
    const what = job ? job.name : running > 0 ? `${running} running` : '';
    return what ? `${what} · Fairlead` : 'Fairlead';
  }

  render() {
    return html`
      <a class="skip" href="#main" @click=${(event) => this.#skip(event)}>Skip to the content</a>
      <header>
        <a class="brand" href="#/"><img src="/page/icon.svg" alt="" width="28" height="28">Fairlead</a>
        ${this.#status()}
        ${isSignedIn() && !model.needsToken ? html`<button class="small" @click=${signOut}>Sign out</button>` : nothing}
      </header>
      <main id="main" tabindex="-1" class=${model.connection}>
        ${model.needsToken
          ? html`<fairlead-signin></fairlead-signin>`
          : this.place.job
            ? html`<fairlead-job .job=${this.place.job} .rung=${this.place.rung} .chunk=${this.place.chunk}></fairlead-job>`
            : this.#overview()}
      </main>
      <p id="said" role="status"></p>
    `;
  }

  #skip(event) {
    event.preventDefault();
    this.querySelector('main').focus();
  }

  #status() {
    const live = model.connection === 'live';
    const text = live ? 'Live' : model.connected ? 'Connection lost, trying again' : 'Connecting';
    return html`<span class="connection" data-connection=${model.connection}><i></i>${text}</span>`;
  }

  #overview() {
    const jobs = [...model.jobs.values()];
    const running = jobs.filter(({ state }) => state === 'running');
    const waiting = jobs.filter(({ state }) => state === 'queued' || state === 'parked');
    const left = Math.max(0, ...running.map((job) => progressOf(model, job).secondsLeft));
    const at = model.devices.reduce((sum, { leased }) => sum + leased, 0);
    return html`
      <h1 class="unseen" tabindex="-1">All jobs</h1>
      <div class="tiles">
        ${tile('Running', number(running.length), left > 0 ? `longest: ${duration(left)} left` : 'jobs')}
        ${tile('Waiting', number(waiting.length), waiting.length > 0 ? 'for their turn' : 'no queue')}
        ${tile('At work', number(at), `of ${devicesInWords(model.devices)}`)}
        ${tile('Chunks', number(model.devices.reduce((sum, { chunks }) => sum + chunks, 0)), 'since the server started')}
      </div>
      <section data-lanes><fairlead-lanes></fairlead-lanes></section>
      <div class="pair">
        <section><fairlead-chart of="throughput"></fairlead-chart></section>
        <section><fairlead-chart of="queue"></fairlead-chart></section>
      </div>
      <section class="submit"><h2 class="unseen">Submit</h2><fairlead-submit></fairlead-submit></section>
      <section><fairlead-jobs></fairlead-jobs></section>
    `;
  }
}

function tile(name, value, note) {
  return html`<div class="tile"><div class="name">${name}</div><div class="value">${value}</div><div class="note">${note}</div></div>`;
}

/** Which part of the page the address names: `#/jobs/ID?rung=720p&chunk=4`. */
function place() {
  const [path, query = ''] = location.hash.slice(1).split('?');
  const [, job] = /^\/jobs\/([^/]+)$/.exec(path) ?? [];
  const asked = new URLSearchParams(query);
  return {
    job: job && decodeURIComponent(job),
    rung: asked.get('rung') ?? undefined,
    chunk: asked.get('chunk') ?? undefined,
  };
}

customElements.define('fairlead-page', Page);
model.start();
