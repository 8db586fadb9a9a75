import { LitElement } from 'lit';
import { Model } from './model.js';

/** The one model of this tab. */
export const model = new Model();

/**
 * A part of the page that is drawn again when the model changes. It stands in the document itself, so
 * that one style sheet and one search reach all parts.
 */
export class Part extends LitElement {
  #changed = () => this.requestUpdate();

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    model.addEventListener('change', this.#changed);
  }

  disconnectedCallback() {
    model.removeEventListener('change', this.#changed);
    super.disconnectedCallback();
  }
}
