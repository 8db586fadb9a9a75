import { html, nothing } from 'lit';
import { ask } from './api.js';
import { model, Part } from './part.js';

/** Asks for a token, and exchanges it for a session. The token itself is kept nowhere. */
class SigninView extends Part {
  static properties = { problem: { state: true } };

  constructor() {
    super();
    this.problem = '';
  }

  render() {
    return html`<section class="signin">
      <h1 tabindex="-1">Sign in</h1>
      <p class="quiet">This server asks for a token. Whoever runs it makes one with <code>fairlead token add</code>.</p>
      <form @submit=${(event) => this.#signIn(event)}>
        <label>Token <input name="token" type="password" autocomplete="current-password" required
          aria-describedby="signin-problem"></label>
        <button class="main">Sign in</button>
        <p id="signin-problem" class="problem" role="alert">${this.problem || nothing}</p>
      </form>
    </section>`;
  }

  firstUpdated() {
    this.querySelector('input').focus();
  }

  async #signIn(event) {
    event.preventDefault();
    const field = event.target.elements.token;
    try {
      await ask('POST', '/v1/session', { token: field.value });
      localStorage.setItem('fairlead.session', 'open');
      model.begin();
    } catch (refusal) {
      this.problem = refusal.message;
      field.select();
    }
  }
}

customElements.define('fairlead-signin', SigninView);

/** Whether this browser has signed in, and may sign out. */
export function isSignedIn() {
  return localStorage.getItem('fairlead.session') !== null;
}

export async function signOut() {
  localStorage.removeItem('fairlead.session');
  await ask('DELETE', '/v1/session').catch(() => {});
  model.end();
}
