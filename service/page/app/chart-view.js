import { html } from 'lit';
import uPlot from 'uplot';
import { throughput } from './lanes.js';
import { model, Part } from './part.js';
import { number } from './words.js';

const SECONDS = 300;
const HEIGHT = 150;

/** How many jobs waited, second by second, since this tab was opened. */
const waited = [];

const dark = matchMedia('(prefers-color-scheme: dark)');

/** One line over the last five minutes; the figure of now beside its heading. */
class ChartView extends Part {
  static properties = { of: {} };

  #plot;
  #timer = 0;
  #themed = () => this.#draw();
  #sizes = new ResizeObserver(([entry]) => {
    this.#plot?.setSize({ width: Math.floor(entry.contentRect.width), height: HEIGHT });
  });

  connectedCallback() {
    super.connectedCallback();
    dark.addEventListener('change', this.#themed);
    this.#timer = setInterval(() => this.#step(), 1_000);
    if (this.hasUpdated) {
      this.#draw();
    }
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
    dark.removeEventListener('change', this.#themed);
    this.#sizes.disconnect();
    this.#plot?.destroy();
    this.#plot = undefined;
    super.disconnectedCallback();
  }

  firstUpdated() {
    this.#draw();
  }

  shouldUpdate() {
    return !this.hasUpdated; // what changes is drawn, not rendered
  }

  render() {
    const title = this.of === 'throughput' ? 'Frames a second' : 'Jobs that wait';
    return html`<div class="head"><h2>${title}</h2><strong class="now"></strong></div>
      <div class="chart" aria-hidden="true"></div>`;
  }

  #data() {
    const now = Math.floor(Date.now() / 1_000);
    const times = Array.from({ length: SECONDS }, (_, i) => now - SECONDS + 1 + i);
    if (this.of === 'throughput') {
      const from = times[0] * 1_000;
      return [times, throughput(model.lanes.since(from), from, from + SECONDS * 1_000, 1_000)];
    }
    return [times, times.map((time) => waited.findLast(([at]) => at <= time)?.[1] ?? null)];
  }

  #step() {
    if (document.hidden || !this.#plot) {
      return;
    }
    const data = this.#data();
    this.#plot.setData(data);
    const last = data[1].at(-2) ?? 0; // the present second is not over
    this.querySelector('.now').textContent = number(last);
  }

  #draw() {
    this.#plot?.destroy();
    const place = this.querySelector('.chart');
    const style = getComputedStyle(this);
    const colour = (name) => style.getPropertyValue(name).trim();
    const line = colour(this.of === 'throughput' ? '--c0' : '--c1');
    const axis = {
      stroke: colour('--quiet'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
      font: '12px system-ui, sans-serif',
    };
    this.#plot = new uPlot(
      {
        width: Math.max(200, Math.floor(place.clientWidth)),
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: true }, y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] } },
        axes: [
          { ...axis, size: 28, space: 70, values: (_, times) => times.map(ago) },
          { ...axis, size: 46, space: 36, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5] },
        ],
        series: [
          {},
          {
            stroke: line,
            width: 2,
            fill: `${line}26`,
            points: { show: false },
            paths: this.of === 'throughput' ? undefined : uPlot.paths.stepped({ align: 1 }),
          },
        ],
      },
      this.#data(),
      place,
    );
    this.#sizes.disconnect();
    this.#sizes.observe(place);
  }
}

function ago(time) {
  return new Date(time * 1_000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

setInterval(() => {
  const waiting = [...model.jobs.values()].filter(({ state }) => state === 'queued' || state === 'parked');
  waited.push([Math.floor(Date.now() / 1_000), waiting.length]);
  waited.splice(0, Math.max(0, waited.length - SECONDS - 5));
}, 1_000);

customElements.define('fairlead-chart', ChartView);
