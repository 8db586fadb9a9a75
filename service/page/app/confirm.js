import { html, render } from 'lit';

/** Asks before something that cannot be undone; gives whether it is to be done. */
export function confirmed(title, text, yes, no) {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'confirm-title');
  const form = (answer) => () => dialog.close(answer);
  render(
    html`<h2 id="confirm-title">${title}</h2>
      <p>${text}</p>
      <div class="actions">
        <button autofocus @click=${form('')}>${no}</button>
        <button class="bad" @click=${form('yes')}>${yes}</button>
      </div>`,
    dialog,
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
  });
}
