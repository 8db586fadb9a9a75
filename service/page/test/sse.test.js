import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventReader } from '../app/sse.js';

test('events are read however the text is cut', () => {
  const text = ': here\n\nid: b-1\nevent: state\ndata: {"a":": "}\n\nid: b-2\nevent: reset\ndata: {}\n\n';
  const wanted = [
    { id: 'b-1', name: 'state', data: '{"a":": "}' },
    { id: 'b-2', name: 'reset', data: '{}' },
  ];
  for (let cut = 0; cut <= text.length; cut++) {
    const reader = new EventReader();
    const read = [...reader.read(text.slice(0, cut)), ...reader.read(text.slice(cut))];
    assert.deepEqual(read, wanted, `cut at ${cut}`);
  }
});

test('an event that is not whole yet is kept back', () => {
  const reader = new EventReader();
  assert.deepEqual(reader.read('id: b-1\ndata: {}\n'), []);
  assert.equal(reader.read('\n').length, 1);
});
