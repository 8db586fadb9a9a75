import { html, nothing } from 'lit';
import { ask, jobPath } from './api.js';
import { confirmed } from './confirm.js';
import { model } from './part.js';
import { say } from './say.js';

const OVER = ['done', 'failed', 'cancelled'];

/** What can be done with a job in its state: buttons, and a choice of priority. */
export function actions(job) {
  const over = OVER.includes(job.state);
  return html`<div class="actions">
    ${job.state === 'paused' ? button(job, 'resume', 'Resume', 'goes on') : nothing}
    ${['queued', 'running', 'parked'].includes(job.state) ? button(job, 'pause', 'Pause', 'is being paused') : nothing}
    ${['failed', 'cancelled'].includes(job.state) ? button(job, 'retry', 'Retry', 'is tried again') : nothing}
    ${over
      ? html`<button class="small" @click=${() => remove(job)} aria-label="Delete ${job.name}">Delete</button>`
      : html`<button class="small" @click=${() => cancel(job)} aria-label="Cancel ${job.name}">Cancel</button>${priority(job)}`}
  </div>`;
}

function button(job, verb, text, said) {
  return html`<button class="small" @click=${() => act(job, verb, said)} aria-label="${text} ${job.name}">${text}</button>`;
}

function priority(job) {
  return html`<select class="small" aria-label="Priority of ${job.name}" .value=${job.priority}
    @change=${({ target }) => change(job, target)}>
    ${['low', 'normal', 'high'].map((each) => html`<option value=${each} ?selected=${each === job.priority}>${each}</option>`)}
  </select>`;
}

async function tried(work, said) {
  try {
    await work();
    say(said);
  } catch (refusal) {
    say(refusal.message);
  }
}

function act(job, verb, said) {
  return tried(async () => model.put(await ask('POST', `${jobPath(job.id)}/${verb}`)), `${job.name} ${said}.`);
}

async function change(job, select) {
  const before = job.priority;
  try {
    model.put(await ask('PATCH', jobPath(job.id), { priority: select.value }));
    say(`${job.name} has priority ${select.value}.`);
  } catch (refusal) {
    select.value = before;
    say(refusal.message);
  }
}

async function cancel(job) {
  if (await confirmed(`Cancel ${job.name}?`, 'What it has made so far is of no use then.', 'Cancel the job', 'Let it run')) {
    await act(job, 'cancel', 'is being cancelled');
  }
}

async function remove(job) {
  if (await confirmed(`Delete ${job.name}?`, 'The job goes, and with it what the server keeps of it.', 'Delete the job', 'Keep it')) {
    await tried(async () => {
      await ask('DELETE', jobPath(job.id));
      model.remove(job.id);
      if (location.hash.includes(job.id)) {
        location.hash = '';
      }
    }, `${job.name} is deleted.`);
  }
}
