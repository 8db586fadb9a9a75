import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { actions } from './actions.js';
import { progressOf } from './model.js';
import { model, Part } from './part.js';
import { say } from './say.js';
import { clock, count, duration, share } from './words.js';

const STEP = 50;
const KINDS = [
  ['all', 'All'],
  ['active', 'Going on'],
  ['over', 'Over'],
];

/** What runs comes first, then what could, so that a long queue does not hide it. */
function rank({ state }) {
  return state === 'running' ? 0 : state === 'paused' || state === 'parked' ? 1 : 2;
}

/** The jobs, newest first, with how far they are and what can be done with them. */
class JobsView extends Part {
  static properties = { kind: { state: true }, shown: { state: true } };

  #focused;

  constructor() {
    super();
    this.kind = 'all';
    this.shown = STEP;
  }

  willUpdate() {
    const { activeElement } = document;
    this.#focused = this.contains(activeElement) ? activeElement : undefined;
  }

  /** A row that moves to another place loses the focus that it had. */
  updated() {
    if (this.#focused?.isConnected && document.activeElement !== this.#focused) {
      this.#focused.focus({ preventScroll: true });
    }
  }

  render() {
    const all = [...model.jobs.values()]
      .filter((job) => this.kind === 'all' || model.isActive(job) === (this.kind === 'active'))
      .sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? 1 : -1));
    const jobs = all.slice(0, this.shown);
    return html`
      <div class="head">
        <h2>Jobs</h2>
        <fieldset class="tabs"><legend class="unseen">Which jobs</legend>
          ${KINDS.map(([kind, text]) => html`<label><input type="radio" name="kind" value=${kind}
            .checked=${this.kind === kind} @change=${() => this.#choose(kind)}><span>${text}</span></label>`)}
        </fieldset>
      </div>
      ${jobs.length === 0 ? this.#none() : nothing}
      <ul class="jobs">
        ${repeat(jobs, ({ id }) => id, (job) => row(job))}
      </ul>
      ${all.length > jobs.length || (model.after && this.kind !== 'active')
        ? html`<p class="more"><button @click=${() => this.#more(all.length)}>Show more</button></p>`
        : nothing}
    `;
  }

  #choose(kind) {
    this.kind = kind;
    this.shown = STEP;
  }

  #none() {
    if (!model.loaded) {
      return html`<p class="quiet">${model.connected ? 'Looking for jobs…' : 'The server has not answered yet.'}</p>`;
    }
    return html`<p class="quiet empty">${
      this.kind === 'active' ? 'No job is going on.' : 'No jobs yet. Drop a video above, and its first one starts.'
    }</p>`;
  }

  async #more(known) {
    this.shown += STEP;
    if (known < this.shown && model.after) {
      await model.more().catch((refusal) => say(refusal.message));
    }
  }
}

function row(job) {
  const progress = progressOf(model, job);
  return html`<li data-job=${job.id} data-state=${job.state}>
    <div class="what">
      <a class="name" href="#/jobs/${job.id}" title=${job.name}>${job.name}</a>
      <span class="quiet">${job.tenant === 'default' ? nothing : html`${job.tenant} · `}${clock(job.createdAt)}</span>
    </div>
    ${badge(job)}
    <div class="far">${far(job, progress)}</div>
    ${actions(job)}
  </li>`;
}

export function badge({ state }) {
  return html`<span class="badge ${state}">${state}</span>`;
}

/** How far a job is, and what comes next, in words and as a bar. */
export function far(job, progress) {
  const bar = html`<progress max="1" .value=${progress.share} aria-label="Progress of ${job.name}"></progress>`;
  switch (job.state) {
    case 'running':
      return html`${bar}<span class="line"><span>${share(progress.share)}</span><span class="quiet">${left(progress)}</span></span>`;
    case 'paused':
    case 'parked':
      return html`${bar}<span class="line"><span>${share(progress.share)}</span><span class="quiet reason">${job.reason}</span></span>`;
    case 'queued':
      return html`<span class="quiet reason">${job.reason || 'waits for its turn'}</span>`;
    case 'done':
      return html`<span class="quiet">${took(job)}${job.rungs.length > 0 ? html` · ${count(job.rungs.length, 'rung')}` : nothing}</span>`;
    default:
      return html`<span class="quiet reason">${job.error?.reason ?? ''}</span>`;
  }
}

function left({ secondsLeft, share: done }) {
  return secondsLeft > 0 && done < 1 ? `${duration(secondsLeft)} left` : '';
}

function took({ startedAt, endedAt }) {
  return startedAt && endedAt ? `took ${duration((Date.parse(endedAt) - Date.parse(startedAt)) / 1_000)}` : '';
}

customElements.define('fairlead-jobs', JobsView);
