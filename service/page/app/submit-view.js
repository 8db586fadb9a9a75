import { html, nothing } from 'lit';
import { ask, drawnId } from './api.js';
import { model, Part } from './part.js';
import { say } from './say.js';
import { Upload } from './upload.js';
import { bytes, share } from './words.js';

const OPTIONS = 'fairlead.options';
const USUAL = { ladder: 'auto', codec: '', preset: '', priority: 'normal' };

/** Files on their way; they stay so whatever part of the page is shown. */
const uploads = [];

addEventListener('beforeunload', (event) => {
  if (uploads.some(({ failed }) => !failed)) {
    event.preventDefault();
  }
});

/** Takes files, by choice or dropped anywhere, and makes a job of each with the options beside. */
class SubmitView extends Part {
  static properties = { options: { state: true }, over: { state: true } };

  #drag = (event) => this.#dragged(event);

  constructor() {
    super();
    this.options = { ...USUAL, ...remembered() };
    this.over = false;
  }

  connectedCallback() {
    super.connectedCallback();
    ['dragenter', 'dragover', 'dragleave', 'drop'].forEach((name) => addEventListener(name, this.#drag));
  }

  disconnectedCallback() {
    ['dragenter', 'dragover', 'dragleave', 'drop'].forEach((name) => removeEventListener(name, this.#drag));
    super.disconnectedCallback();
  }

  render() {
    return html`
      <div class="drop ${this.over ? 'over' : ''}">
        <p><strong>Drop a video here</strong> <span class="quiet">or anywhere on the page; it starts at once.</span></p>
        <label class="button">
          <input type="file" multiple @change=${({ target }) => this.#chosen(target)}>
          <span>Choose files</span>
        </label>
      </div>
      ${uploads.length > 0 ? html`<ul class="uploads">${uploads.map((each) => this.#row(each))}</ul>` : nothing}
      <details class="options">
        <summary>Options <span class="quiet">${this.#inWords()}</span></summary>
        <form @submit=${(event) => this.#path(event)}>
          <label>Ladder
            <input name="ladder" .value=${this.options.ladder} @change=${(e) => this.#set(e)} spellcheck="false"
              aria-describedby="ladder-help"></label>
          <p id="ladder-help" class="quiet">auto, or rungs such as 1080p,720p,360p or 1280x720@crf30</p>
          <div class="fields">
            <label>Codec
              <select name="codec" @change=${(e) => this.#set(e)}>
                ${[['', 'as usual'], ['av1', 'AV1'], ['h264', 'H.264'], ['hevc', 'HEVC']].map(([value, text]) =>
                  html`<option value=${value} ?selected=${value === this.options.codec}>${text}</option>`)}
              </select></label>
            <label>Preset
              <select name="preset" @change=${(e) => this.#set(e)}>
                <option value="" ?selected=${this.options.preset === ''}>as usual</option>
                ${Array.from({ length: 14 }, (_, i) => html`<option value=${i} ?selected=${String(i) === this.options.preset}>${i}${
                  i === 0 ? ', best' : i === 13 ? ', fastest' : ''}</option>`)}
              </select></label>
            <label>Priority
              <select name="priority" @change=${(e) => this.#set(e)}>
                ${['low', 'normal', 'high'].map((each) =>
                  html`<option value=${each} ?selected=${each === this.options.priority}>${each}</option>`)}
              </select></label>
          </div>
          <label>Or a file of the server
            <span class="together"><input name="input" placeholder="path below a root of the server" spellcheck="false" autocomplete="off">
            <button>Submit</button></span></label>
        </form>
      </details>
    `;
  }

  #row(each) {
    const { upload, failed } = each;
    const sent = upload.size === 0 ? 0 : upload.sent / upload.size;
    return html`<li>
      <span class="name">${upload.name}</span>
      ${failed
        ? html`<span class="problem">${failed}</span>`
        : html`<progress max="1" .value=${sent} aria-label="Upload of ${upload.name}"></progress>
          <span class="quiet">${upload.problem || `${share(sent)} of ${bytes(upload.size)}`}</span>`}
      <button class="small" @click=${() => this.#stop(each)} aria-label="${failed ? 'Dismiss' : 'Stop'} ${upload.name}">${
        failed ? 'Dismiss' : 'Stop'}</button>
    </li>`;
  }

  #inWords() {
    const { ladder, codec, preset, priority } = this.options;
    return [
      `ladder ${ladder || 'auto'}`,
      codec && codec.toUpperCase(),
      preset && `preset ${preset}`,
      priority !== 'normal' && `${priority} priority`,
    ].filter(Boolean).join(', ');
  }

  #set({ target }) {
    this.options = { ...this.options, [target.name]: target.value.trim() };
    localStorage.setItem(OPTIONS, JSON.stringify(this.options));
  }

  #submission() {
    const { ladder, codec, preset, priority } = this.options;
    return {
      priority,
      options: {
        ladder: ladder || 'auto',
        ...(codec && { codec }),
        ...(preset && { preset: Number(preset) }),
      },
    };
  }

  #chosen(input) {
    const files = [...input.files];
    input.value = '';
    files.forEach((file) => this.#send(file));
  }

  #dragged(event) {
    if (!event.dataTransfer?.types.includes('Files')) {
      return;
    }
    event.preventDefault();
    this.over = event.type === 'dragenter' || event.type === 'dragover';
    if (event.type === 'drop') {
      [...event.dataTransfer.files].forEach((file) => this.#send(file));
    }
  }

  async #send(file) {
    const each = { upload: new Upload(file), failed: '' };
    uploads.push(each);
    this.requestUpdate();
    try {
      const job = await each.upload.run(this.#submission(), () => this.requestUpdate());
      remove(each);
      model.put(job);
      say(`${file.name} is submitted.`);
    } catch (failure) {
      if (uploads.includes(each)) {
        each.failed = failure.message;
        say(`${file.name} was not submitted: ${failure.message}`);
      }
    }
    this.requestUpdate();
  }

  #stop(each) {
    remove(each);
    each.upload.cancel();
    this.requestUpdate();
  }

  async #path(event) {
    event.preventDefault();
    const field = event.target.elements.input;
    const input = field.value.trim();
    if (input === '') {
      field.focus();
      return;
    }
    try {
      const key = { headers: { 'Idempotency-Key': drawnId() } };
      model.put(await ask('POST', '/v1/jobs', { input, ...this.#submission() }, key));
      field.value = '';
      say(`${input} is submitted.`);
    } catch (refusal) {
      say(refusal.message);
    }
  }
}

function remove(each) {
  const place = uploads.indexOf(each);
  if (place >= 0) {
    uploads.splice(place, 1);
  }
}

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(OPTIONS) ?? '{}');
  } catch {
    return {};
  }
}

customElements.define('fairlead-submit', SubmitView);
