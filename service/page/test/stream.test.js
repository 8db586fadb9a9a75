import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Stream } from '../app/stream.js';

const real = globalThis.fetch;

afterEach(() => {
  globalThis.fetch = real;
});

/** Answers each connection in its turn; tells with which id it was asked. */
function answering(...answers) {
  const asked = [];
  globalThis.fetch = async (path, { headers, signal }) => {
    asked.push(headers['Last-Event-ID']);
    const answer = answers.shift();
    if (answer !== undefined) {
      return answer(signal);
    }
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  return asked;
}

const events = (text) => () => new Response(text, { headers: { 'Content-Type': 'text/event-stream' } });

/** Follows until something has been told so often; what was told. */
async function follow(count) {
  const told = [];
  const { promise, resolve } = deferred();
  const note = (what) => {
    told.push(what);
    if (told.length === count) {
      resolve();
    }
  };
  const stream = new Stream({
    events: (list, old) => list.forEach(({ event }) => note(`${old ? 'old ' : ''}${event}`)),
    connection: note,
  });
  const running = stream.run();
  const hurry = setInterval(() => stream.hurry(), 5);
  await promise;
  clearInterval(hurry);
  stream.end();
  await running;
  return told.slice(0, count);
}

function deferred() {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}

test('the first connection tells where the present is, the second brings what was before it', async () => {
  const asked = answering(
    events(': here\n\nid: b-5000\nevent: reset\ndata: {"event":"reset"}\n\n'),
    events(
      ': here\n\nid: b-4999\nevent: started\ndata: {"event":"started"}\n\n' +
        'id: b-5001\nevent: committed\ndata: {"event":"committed"}\n\n',
    ),
  );
  const told = (await follow(4)).filter((what) => what !== 'live');
  assert.deepEqual(told.slice(0, 2), ['old started', 'committed']);
  assert.deepEqual(asked.slice(0, 2), [undefined, 'b-2000']);
});

test('a connection that ends is opened again after its last event', async () => {
  const asked = answering(
    events('id: b-0\nevent: reset\ndata: {"event":"reset"}\n\nid: b-7\nevent: state\ndata: {"event":"state"}\n\n'),
    events('id: b-8\nevent: state\ndata: {"event":"state"}\n\n'),
  );
  assert.deepEqual(await follow(6), ['live', 'reset', 'state', 'lost', 'live', 'state']);
  assert.deepEqual(asked.slice(0, 2), [undefined, 'b-7']);
});

test('a server that asks for a token is not one that is lost', async () => {
  answering(() => new Response('', { status: 401 }), () => new Response('', { status: 503 }));
  assert.deepEqual(await follow(2), ['sign-in', 'lost']);
});
