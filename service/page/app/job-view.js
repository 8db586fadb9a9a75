import { html, nothing } from 'lit';
import { actions } from './actions.js';
import { ask, jobPath } from './api.js';
import { badge, far } from './jobs-view.js';
import { progressOf } from './model.js';
import { model, Part } from './part.js';
import { byLabel, bytes, clock, count, duration, number, share } from './words.js';
import './lanes-view.js';
import './player-view.js';
import './why-view.js';

/** A job: how far it is, its ladder, its devices, what it has made. */
class JobView extends Part {
  static properties = { job: {}, rung: {}, chunk: {}, missing: { state: true }, files: { state: true } };

  #filesOf = '';

  constructor() {
    super();
    this.missing = '';
    this.files = [];
  }

  willUpdate() {
    const job = model.jobs.get(this.job);
    if (!job && !this.missing) {
      this.#load();
    } else if (job?.state === 'done' && this.#filesOf !== this.job) {
      this.#filesOf = this.job;
      this.#list();
    }
  }

  async #load() {
    this.missing = 'Looking for the job…';
    try {
      model.put(await ask('GET', jobPath(this.job)));
      this.missing = '';
    } catch (refusal) {
      this.missing = refusal.message;
    }
  }

  async #list() {
    try {
      this.files = (await ask('GET', `${jobPath(this.job)}/artifacts`)).artifacts;
    } catch {
      this.files = [];
    }
  }

  render() {
    const job = model.jobs.get(this.job);
    if (!job) {
      return html`<p class="crumb"><a href="#/">All jobs</a></p><h1 tabindex="-1">Job</h1><p class="quiet">${this.missing}</p>`;
    }
    const rungs = rungsOf(job);
    return html`
      <p class="crumb"><a href="#/">All jobs</a></p>
      <div class="title" data-job=${job.id} data-state=${job.state}>
        <h1 tabindex="-1">${job.name}</h1>${badge(job)}
        ${actions(job)}
      </div>
      <p class="subtitle">${[
        job.tenant,
        `${job.priority} priority`,
        `submitted ${clock(job.createdAt)}`,
        job.attempt > 1 ? `${count(job.attempt, 'attempt')}, ${count(job.resumedChunks, 'chunk')} kept` : '',
        job.deviceSeconds > 0 ? `${duration(job.deviceSeconds)} of devices` : '',
      ].filter(Boolean).join(' · ')}</p>
      ${job.error
        ? html`<section class="failure"><h2>Why it failed</h2><p>${job.error.reason}</p>
            <p class="quiet">Exit code ${job.error.exitCode}</p></section>`
        : nothing}
      ${model.isActive(job) ? html`<section class="progress">${far(job, progressOf(model, job))}</section>` : nothing}
      ${job.state === 'done' && this.files.some(({ path }) => path === 'master.m3u8')
        ? html`<section><h2>Play</h2><fairlead-player .job=${job.id}></fairlead-player></section>`
        : nothing}
      <div class="pair">
        <section><h2>Ladder</h2>${ladder(rungs)}</section>
        <section><h2>Devices</h2>${devices(job)}</section>
      </div>
      <section data-lanes><fairlead-lanes .job=${job.id}></fairlead-lanes></section>
      ${rungs.length > 0 && model.canAsk('explain')
        ? html`<section><h2>Why a chunk is where it is</h2>
            <fairlead-why .job=${job.id} .rungs=${rungs.map(({ name }) => name)} .rung=${this.rung} .chunk=${this.chunk}></fairlead-why></section>`
        : nothing}
      ${this.files.length > 0 ? html`<section>${fileList(job, this.files)}</section>` : nothing}
      <section><h2>This job</h2>${facts(job)}</section>
    `;
  }
}

/** What is known of each rung, from the plan, the last progress, and what the job has made. */
function rungsOf(job) {
  const byName = new Map();
  const add = (rung) => byName.set(rung.name, { ...byName.get(rung.name), ...rung });
  model.plans.get(job.id)?.rungs.forEach(add);
  model.progress.get(job.id)?.rungs.forEach(add);
  job.rungs.forEach((rung) => add({ ...rung, share: 1 }));
  return [...byName.values()];
}

function ladder(rungs) {
  if (rungs.length === 0) {
    return html`<p class="quiet">There is no plan yet.</p>`;
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Ladder"><table>
    <thead><tr><th scope="col">Rung</th><th scope="col">Size</th><th scope="col" class="number">Done</th>
      <th scope="col" class="number">Frames</th><th scope="col" class="number">Bytes</th></tr></thead>
    <tbody>${rungs.map((rung) => html`<tr>
      <th scope="row"><span class="key r${model.lanes.colour(rung.name)}"><i></i>${rung.name}</span></th>
      <td>${rung.width ? `${rung.width}×${rung.height}` : ''}</td>
      <td class="number">${rung.share === undefined ? '' : share(rung.share)}</td>
      <td class="number">${rung.frames === undefined ? '' : number(rung.frames)}</td>
      <td class="number">${rung.bytes === undefined ? '' : bytes(rung.bytes)}</td></tr>`)}</tbody>
  </table></div>`;
}

function devices(job) {
  if (job.devices.length === 0) {
    return html`<p class="quiet">No device has finished a chunk of it yet.</p>`;
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Devices of this job"><table>
    <thead><tr><th scope="col">Device</th><th scope="col" class="number">Chunks</th>
      <th scope="col" class="number">Busy</th><th scope="col" class="number">Failures</th></tr></thead>
    <tbody>${byLabel(job.devices).map((each) => html`<tr><th scope="row">${each.label}</th><td class="number">${number(each.chunks)}</td>
      <td class="number">${duration(each.busySeconds)}</td><td class="number">${number(each.failures)}</td></tr>`)}</tbody>
  </table></div>`;
}

function fileList(job, files) {
  const sum = files.reduce((all, each) => all + each.bytes, 0);
  return html`<details><summary><h2>Files</h2> <span class="quiet">${count(files.length, 'file')}, ${bytes(sum)}</span></summary>
    <ul class="files">${files.map((each) => html`<li>
      <a href="${jobPath(job.id)}/artifacts/${each.path.split('/').map(encodeURIComponent).join('/')}" download>${each.path}</a>
      <span class="quiet">${bytes(each.bytes)}</span></li>`)}</ul></details>`;
}

function facts(job) {
  const rows = [
    ['Id', job.id],
    ['Input', job.input],
    ['Output', job.output],
    ['Started', job.startedAt && clock(job.startedAt)],
    ['Ended', job.endedAt && clock(job.endedAt)],
    ['Reason', job.reason],
  ].filter(([, value]) => value);
  return html`<table class="origin"><tbody>${rows.map(([name, value]) =>
    html`<tr><th scope="row">${name}</th><td class="wide">${value}</td></tr>`)}</tbody></table>`;
}

customElements.define('fairlead-job', JobView);
