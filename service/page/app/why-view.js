import { html, LitElement, nothing } from 'lit';
import { ask, jobPath } from './api.js';
import { clock } from './words.js';

/** Asks why a chunk went to the device that it went to, and shows the answer. */
class WhyView extends LitElement {
  static properties = { job: {}, rungs: {}, rung: {}, chunk: {}, answer: { state: true }, problem: { state: true } };

  constructor() {
    super();
    this.rungs = [];
    this.answer = undefined;
    this.problem = '';
  }

  createRenderRoot() {
    return this;
  }

  willUpdate(changed) {
    if ((changed.has('rung') || changed.has('chunk')) && this.rung && this.chunk !== undefined) {
      this.#ask(this.rung, this.chunk);
    }
  }

  render() {
    return html`
      <form class="together" @submit=${(event) => this.#asked(event)}>
        <label>Rung <select name="rung">
          ${this.rungs.map((name) => html`<option value=${name} ?selected=${name === this.rung}>${name}</option>`)}
        </select></label>
        <label>Chunk <input name="chunk" type="number" min="0" step="1" required .value=${this.chunk ?? '0'}></label>
        <button>Why there?</button>
      </form>
      <div aria-live="polite">
        ${this.problem ? html`<p class="problem">${this.problem}</p>` : nothing}
        ${this.answer ? this.#shown(this.answer) : nothing}
      </div>`;
  }

  #shown({ rung, chunk, said }) {
    const { device, at, candidates = [], turn } = said;
    return html`
      <p>${rung}, chunk ${chunk} went to <strong>${device}</strong>${at === undefined ? nothing : html` at ${when(at)}`}.
        ${turn ? html`It was the turn of ${turn.tenant}: ${turn.why}.` : nothing}</p>
      ${candidates.length === 0
        ? nothing
        : html`<div class="scroll" tabindex="0" role="region" aria-label="Devices that could have taken it"><table>
            <thead><tr><th scope="col">Device</th><th scope="col" class="number">Predicted</th><th scope="col">Why, or why not</th></tr></thead>
            <tbody>${candidates.map((each) => html`<tr class=${each.device === device ? 'chosen' : ''}>
              <th scope="row">${each.device}</th>
              <td class="number">${each.predictedSeconds === undefined ? '–' : `${each.predictedSeconds.toFixed(2)} s`}</td>
              <td class="wide">${each.reason}</td></tr>`)}</tbody></table></div>`}`;
  }

  #asked(event) {
    event.preventDefault();
    const { rung, chunk } = event.target.elements;
    this.#ask(rung.value, chunk.value);
  }

  async #ask(rung, chunk) {
    this.problem = '';
    try {
      const said = await ask('GET', `${jobPath(this.job)}/explain?rung=${encodeURIComponent(rung)}&chunk=${encodeURIComponent(chunk)}`);
      this.answer = { rung, chunk, said };
    } catch (refusal) {
      this.answer = undefined;
      this.problem = refusal.message;
    }
  }
}

/** A moment, which may be a time of day or seconds since the job began. */
function when(at) {
  return typeof at === 'number' ? `${at.toFixed(1)} s` : clock(at);
}

customElements.define('fairlead-why', WhyView);
