import { html, LitElement, nothing } from 'lit';
import { jobPath } from './api.js';

const MASTER = 'master.m3u8';

/** Plays the package of a job that is done. */
class PlayerView extends LitElement {
  static properties = { job: {}, levels: { state: true }, problem: { state: true } };

  #player;

  constructor() {
    super();
    this.levels = [];
    this.problem = '';
  }

  createRenderRoot() {
    return this;
  }

  disconnectedCallback() {
    this.#player?.end();
    this.#player = undefined;
    super.disconnectedCallback();
  }

  async firstUpdated() {
    const video = this.querySelector('video');
    try {
      const { attach } = await import('/page/player.js');
      if (!this.isConnected) {
        return;
      }
      this.#player = attach(video, `${jobPath(this.job)}/artifacts/${MASTER}`, {
        ready: () => (this.levels = this.#player?.levels() ?? []),
        failed: (details) => (this.problem = `This cannot be played here (${details}).`),
      });
    } catch {
      this.problem = 'The player could not be loaded.';
    }
  }

  render() {
    return html`<video controls playsinline preload="metadata" aria-label="What the job has made"></video>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.levels.length > 1
        ? html`<label class="rung-choice">Rung
            <select @change=${({ target }) => this.#player.choose(Number(target.value))}>
              <option value="-1">as the connection allows</option>
              ${this.levels.map(({ width, height }, i) => html`<option value=${i}>${width}×${height}</option>`)}
            </select></label>`
        : nothing}`;
  }
}

customElements.define('fairlead-player', PlayerView);
