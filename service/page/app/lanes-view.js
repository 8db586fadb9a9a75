import { html, nothing, svg } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { ask } from './api.js';
import { end, start } from './lanes.js';
import { model, Part } from './part.js';
import { say } from './say.js';
import { byLabel, count, duration, number } from './words.js';

const WINDOWS = [60, 300, 900];
const TICKS = { 60: 15, 300: 60, 900: 180 };
const AXIS = 24;
const REBASE_MILLIS = 60_000;
const LEAST_WIDTH = 1.5;
const LABELLED_FROM = 26;
const LEAST_STEP_MILLIS = 60;
const SLOWEST_STEP_MILLIS = 1_000;

const still = matchMedia('(prefers-reduced-motion: reduce)');

function takesWork({ drained, health }) {
  return !drained && ['ready', 'suspect', 'probing'].includes(health);
}

/** How high the row of a device is, by how many there are. */
function rowHeight(rows) {
  return rows <= 8 ? 34 : rows <= 24 ? 24 : 14;
}

/**
 * Device lanes over the last minutes. Bars stand at fixed places in a group that moves to the left,
 * so that the passing of time changes one attribute and not thousands.
 */
class LanesView extends Part {
  static properties = { job: {}, seconds: { state: true }, by: { state: true }, width: { state: true } };

  #base = Date.now();
  #timer = 0;
  #sizes = new ResizeObserver(([entry]) => {
    this.width = Math.floor(entry.contentRect.width);
    this.#move();
  });

  constructor() {
    super();
    this.job = undefined;
    this.seconds = WINDOWS[0];
    this.by = 'rung';
    this.width = 0;
  }

  firstUpdated() {
    this.#sizes.observe(this.querySelector('.lanes'));
  }

  connectedCallback() {
    super.connectedCallback();
    if (this.hasUpdated) {
      this.#sizes.observe(this.querySelector('.lanes'));
    }
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.#sizes.disconnect();
    super.disconnectedCallback();
  }

  get #left() {
    return this.width < 600 ? 58 : 96;
  }

  get #scale() {
    return Math.max(1, this.width - this.#left) / (this.seconds * 1_000);
  }

  /** Moves the bars to where they belong by now, about a pixel at a time. */
  #move() {
    clearTimeout(this.#timer);
    const group = this.querySelector('.moving');
    if (group && !document.hidden) {
      const x = this.width - (Date.now() - this.#base) * this.#scale;
      group.setAttribute('transform', `translate(${x.toFixed(1)} 0)`);
    }
    const pixel = Math.min(SLOWEST_STEP_MILLIS, Math.max(LEAST_STEP_MILLIS, 1 / this.#scale));
    const step = still.matches ? SLOWEST_STEP_MILLIS : pixel;
    this.#timer = setTimeout(() => this.#move(), step);
  }

  /** One row for each slot of a device. */
  #rows(bars) {
    const slots = new Map(model.devices.map(({ label, slots: its }) => [label, its]));
    for (const bar of bars) {
      slots.set(bar.device, Math.max(slots.get(bar.device) ?? 1, bar.slot + 1));
    }
    const rows = new Map();
    let total = 0;
    for (const label of [...slots.keys()].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))) {
      rows.set(label, total);
      total += slots.get(label);
    }
    return { rows, slots, total };
  }

  render() {
    const now = Date.now();
    if (now - this.#base > REBASE_MILLIS) {
      this.#base = now;
      queueMicrotask(() => this.#move());
    }
    const from = now - this.seconds * 1_000;
    const bars = model.lanes
      .since(from)
      .filter((bar) => this.job === undefined || bar.job === this.job);
    const jobs = [...new Set(bars.map((bar) => bar.job))].sort();
    return html`
      <div class="head">
        <h2>${this.job === undefined ? 'Devices' : 'Lanes of this job'}</h2>
        ${this.#choices(jobs)}
      </div>
      ${this.#legend(bars, jobs)}
      <div class="lanes">${this.width > 0 ? this.#chart(bars, jobs) : nothing}</div>
      ${this.job === undefined ? this.#table() : nothing}
    `;
  }

  #choices(jobs) {
    const several = this.job === undefined && jobs.length > 1;
    return html`<div class="choices">
      ${several || this.by === 'job'
        ? html`<label>Colour
            <select @change=${({ target }) => (this.by = target.value)}>
              <option value="rung" ?selected=${this.by === 'rung'}>by rung</option>
              <option value="job" ?selected=${this.by === 'job'}>by job</option>
            </select></label>`
        : nothing}
      <label>Last
        <select @change=${({ target }) => (this.seconds = Number(target.value))}>
          ${WINDOWS.map((each) => html`<option value=${each} ?selected=${each === this.seconds}>${duration(each)}</option>`)}
        </select></label>
    </div>`;
  }

  #legend(bars, jobs) {
    const keys =
      this.by === 'job'
        ? jobs.map((id, i) => [i % 7, model.jobs.get(id)?.name ?? id])
        : [...new Map(bars.map((bar) => [bar.rung, bar.colour]))].map(([rung, colour]) => [colour, rung]);
    keys.sort(([a], [b]) => a - b);
    const shown = keys.slice(0, 12);
    return html`<p class="legend">
      ${keys.length === 0
        ? html`<span class="quiet">No chunk in this time.</span>`
        : shown.map(([colour, name]) => html`<span class="key r${colour}"><i></i>${name}</span>`)}
      ${keys.length > shown.length ? html`<span class="quiet">and ${keys.length - shown.length} more</span>` : nothing}
      ${bars.some((bar) => bar.ending === 'failed') ? html`<span class="key failed"><i></i>failed</span>` : nothing}
      ${this.by === 'job' ? html`<span class="quiet">The lower a bar, the smaller its rung.</span>` : nothing}
    </p>`;
  }

  #chart(bars, jobs) {
    const { rows, slots, total } = this.#rows(bars);
    const row = rowHeight(total);
    const bar = row - (row > 20 ? 10 : 3);
    const height = Math.max(1, total) * row;
    const left = this.#left;
    const clip = `lanes-${this.job ?? 'all'}`;
    return html`<svg
      class=${row < 20 ? 'dense' : ''}
      width=${this.width} height=${height + AXIS} role="img"
      aria-label="What each device did in the last ${duration(this.seconds)}; the table has the same in words"
      @click=${(event) => this.#open(event)}>
      <defs><clipPath id=${clip}><rect x=${left} y="0" width=${Math.max(0, this.width - left)} height=${height}></rect></clipPath></defs>
      ${this.#axis(left, height)}
      ${[...rows].map(([label, first]) => this.#bed(label, first, slots.get(label), row, bar))}
      <g clip-path="url(#${clip})"><g class="moving">
        ${repeat(bars, (each) => each, (each) => this.#bar(each, jobs, rows, row, bar))}
      </g></g>
    </svg>`;
  }

  #axis(left, height) {
    const step = TICKS[this.seconds] * (this.width < 600 ? 2 : 1);
    const ticks = [];
    for (let ago = 0; ago <= this.seconds; ago += step) {
      const x = this.width - ago * 1_000 * this.#scale;
      const anchor = ago === 0 ? 'end' : x - left < 20 ? 'start' : 'middle';
      ticks.push(svg`<line class="grid" x1=${x} y1="0" x2=${x} y2=${height}></line>
        <text class="tick" text-anchor=${anchor} x=${x} y=${height + 17}>${ago === 0 ? 'now' : `−${duration(ago)}`}</text>`);
    }
    return ticks;
  }

  #bed(label, first, its, row, bar) {
    const device = model.devices.find((each) => each.label === label);
    const away = device && !takesWork(device);
    const left = this.#left;
    return svg`<g class=${away ? 'away' : ''}>
      <text class="lane" x=${left - 10} y=${first * row + (its * row) / 2 + 4}>${label}</text>
      ${Array.from({ length: its }, (_, i) => svg`<rect class="bed" x=${left} y=${(first + i) * row + (row - bar) / 2}
        width=${Math.max(0, this.width - left)} height=${bar} rx="3"></rect>`)}
      ${away ? svg`<text class="note" x=${left + 8} y=${first * row + row / 2 + 4}>${device.drained ? 'drained' : device.health}</text>` : nothing}
    </g>`;
  }

  #bar(bar, jobs, rows, row, full) {
    const x = (start(bar) - this.#base) * this.#scale;
    const until = bar.to === null ? Infinity : (end(bar) - this.#base) * this.#scale;
    // One that goes on reaches beyond the right edge, which cuts it off.
    const width = bar.to === null ? 100_000 : Math.max(LEAST_WIDTH, until - x - 1);
    const bottom = (rows.get(bar.device) + bar.slot) * row + (row + full) / 2;
    const height = this.by === 'job' ? Math.max(5, full - Math.min(6, bar.colour) * (full / 8)) : full;
    const colour = this.by === 'job' ? jobs.indexOf(bar.job) % 7 : bar.colour;
    const name = model.jobs.get(bar.job)?.name ?? bar.job;
    const took = bar.to === null ? 'at work' : `${bar.ending}, ${(bar.to - bar.from).toFixed(1)} s`;
    const why = bar.reason ? `; ${bar.reason}` : '';
    return svg`<g class="bar ${bar.ending} r${colour}" data-of=${bar.job} data-rung=${bar.rung} data-chunk=${bar.chunk}>
      <title>${name}: ${bar.rung}, chunk ${bar.chunk} on ${bar.device}, ${took}${why}</title>
      <rect x=${x.toFixed(1)} y=${bottom - height} width=${width.toFixed(1)} height=${height} rx="3"></rect>
      ${width >= LABELLED_FROM && height >= 14
        ? svg`<text class="chunk" x=${(bar.to === null ? x + 6 : x + width / 2).toFixed(1)}
            text-anchor=${bar.to === null ? 'start' : 'middle'} y=${bottom - height / 2 + 4}>${bar.chunk}</text>`
        : nothing}
    </g>`;
  }

  #open({ target }) {
    const bar = target.closest('.bar');
    if (bar) {
      const { of, rung, chunk } = bar.dataset;
      location.hash = `#/jobs/${of}?rung=${encodeURIComponent(rung)}&chunk=${chunk}`;
    }
  }

  #table() {
    const work = new Map();
    for (const bar of model.lanes.bars) {
      if (bar.to === null) {
        work.set(bar.device, [...(work.get(bar.device) ?? []), bar]);
      }
    }
    return html`<details class="facts"><summary>The same as a table</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="Devices as a table">
        <table>
          <thead><tr><th scope="col">Device</th><th scope="col">Name</th><th scope="col">Health</th><th scope="col">Works on</th>
            <th scope="col" class="number">Waiting</th><th scope="col" class="number">Chunks</th>
            <th scope="col" class="number">Failures</th><th scope="col" class="number">Busy</th><th scope="col"><span class="unseen">Change</span></th></tr></thead>
          <tbody>
            ${repeat(byLabel(model.devices), ({ label }) => label, (device) => this.#row(device, work.get(device.label) ?? []))}
          </tbody>
        </table>
      </div></details>`;
  }

  #row(device, bars) {
    const verb = device.drained ? 'resume' : 'drain';
    return html`<tr data-device=${device.label}>
      <th scope="row">${device.label}</th>
      <td>${device.name}</td>
      <td>${device.drained ? 'drained' : device.health}</td>
      <td class="works">${bars.length === 0
        ? html`<span class="quiet">nothing</span>`
        : bars.map((bar) => html`<div><a href="#/jobs/${bar.job}">${model.jobs.get(bar.job)?.name ?? bar.job}</a>, ${bar.rung}, chunk ${bar.chunk}</div>`)}</td>
      <td class="number">${number(device.waiting)}</td>
      <td class="number">${number(device.chunks)}</td>
      <td class="number">${number(device.failures)}</td>
      <td class="number">${duration(device.busySeconds)}</td>
      <td><button class="small" @click=${() => this.#change(device, verb)}
        aria-label="${device.drained ? 'Resume' : 'Drain'} ${device.label}">${device.drained ? 'Resume' : 'Drain'}</button></td>
    </tr>`;
  }

  async #change({ label }, verb) {
    try {
      model.devices = (await ask('POST', `/v1/devices/${encodeURIComponent(label)}/${verb}`)).devices;
      say(verb === 'drain' ? `${label} takes no more work.` : `${label} takes work again.`);
      model.tell();
    } catch (refusal) {
      say(refusal.message);
    }
  }
}

customElements.define('fairlead-lanes', LanesView);

/** How many devices there are, and how many take work, in words. */
export function devicesInWords(devices) {
  const serving = devices.filter(takesWork);
  return serving.length === devices.length
    ? count(devices.length, 'device')
    : `${serving.length} of ${count(devices.length, 'device')}`;
}
