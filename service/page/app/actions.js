import { html, nothing } from 'lit';
import { ask, jobPath } from './api.js';
import { confirmed } from './confirm.js';
import { model } from './part.js';
import { say } from './say.js';

const OVER = ['done', 'failed', 'cancelled'];

/** What has a job go on, or stop for a while: verb, text, and what is said then. */
const TURNS = {
  queued: ['pause', 'Pause', 'is being paused'],
  running: ['pause', 'Pause', 'is being paused'],
  parked: ['pause', 'Pause', 'is being paused'],
  paused: ['resume', 'Resume', 'goes on'],
  failed: ['retry', 'Retry', 'is tried again'],
  cancelled: ['retry', 'Retry', 'is tried again'],
};

/**
 * What can be done with a job in its state: buttons, and a choice of priority. A button whose meaning
 * changes with the state is the same element, so that it keeps the focus.
 */
export function actions(job) {
  const turn = TURNS[job.state]?.[0] === 'retry' && !model.canAsk('retry') ? undefined : TURNS[job.state];
  const over = OVER.includes(job.state);
  return html`<div class="actions">
    ${turn ? button(job, turn[1], () => act(job, turn[0], turn[2])) : nothing}
    ${button(job, over ? 'Delete' : 'Cancel', () => (over ? remove(job) : cancel(job)))}
    ${over ? nothing : priority(job)}
  </div>`;
}

function button(job, text, click) {
  return html`<button class="small" @click=${click} aria-label="${text} ${job.name}">${text}</button>`;
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
      } else {
        document.querySelector('main').focus(); // the button that had it goes
      }
    }, `${job.name} is deleted.`);
  }
}
