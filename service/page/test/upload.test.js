import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Upload } from '../app/upload.js';

const MEBI = 1024 * 1024;
const real = globalThis.fetch;

afterEach(() => {
  globalThis.fetch = real;
});

/** A server that keeps what it is sent; `trouble` may answer, or throw, in its place. */
function server(trouble = () => undefined) {
  const kept = { offset: 0, ranges: [], jobs: [] };
  globalThis.fetch = async (path, { method, headers = {}, body }) => {
    const answer = trouble(method, kept);
    if (answer) {
      return answer;
    }
    if (path === '/v1/jobs') {
      kept.jobs.push({ ...JSON.parse(body), key: headers['Idempotency-Key'] });
      return Response.json({ id: 'j' }, { status: 201 });
    }
    if (method === 'PUT') {
      kept.ranges.push(headers['Content-Range']);
      kept.offset += body.size;
    }
    return new Response(null, { headers: { 'Upload-Offset': String(kept.offset) } });
  };
  return kept;
}

const file = (size) => new File([new Uint8Array(size)], 'clip.mp4');

test('a file is sent in pieces, and then becomes a job', async () => {
  const kept = server();
  const upload = new Upload(file(20 * MEBI));
  const job = await upload.run({ priority: 'high' }, () => {});
  assert.equal(job.id, 'j');
  assert.deepEqual(kept.ranges, [
    `bytes 0-${8 * MEBI - 1}/${20 * MEBI}`,
    `bytes ${8 * MEBI}-${16 * MEBI - 1}/${20 * MEBI}`,
    `bytes ${16 * MEBI}-${20 * MEBI - 1}/${20 * MEBI}`,
  ]);
  assert.deepEqual(kept.jobs, [{ upload: upload.id, name: 'clip.mp4', priority: 'high', key: upload.id }]);
});

test('a piece that is interrupted goes on where the server is', async () => {
  let troubles = 1;
  const kept = server((method, { offset }) => {
    if (method === 'PUT' && offset > 0 && troubles-- > 0) {
      throw new TypeError('no connection');
    }
    return undefined;
  });
  const upload = new Upload(file(10 * MEBI));
  let said = '';
  await upload.run({}, () => {
    said += upload.problem;
  });
  assert.match(said, /trying again/);
  assert.equal(kept.offset, 10 * MEBI);
  assert.equal(kept.jobs.length, 1);
});

test('what the server refuses for good is not tried again', async () => {
  const kept = server((method) =>
    method === 'PUT' ? Response.json({ detail: 'Too little room' }, { status: 507 }) : undefined);
  await assert.rejects(new Upload(file(10)).run({}, () => {}), { message: 'Too little room', status: 507 });
  assert.equal(kept.jobs.length, 0);
});

test('an empty file is none', async () => {
  await assert.rejects(new Upload(file(0)).run({}, () => {}), { message: 'clip.mp4 is empty.' });
});
