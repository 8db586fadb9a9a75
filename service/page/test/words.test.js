import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, duration, number, share } from '../app/words.js';

test('lengths of time have two units at most', () => {
  const said = [0.4, 59.6, 61, 3_600, 7_500, 90_061].map(duration);
  assert.deepEqual(said, ['0 s', '1 min', '1 min 1 s', '1 h', '2 h 5 min', '1 d 1 h']);
});

test('bytes have the unit that leaves few digits', () => {
  assert.deepEqual([0, 999, 1_500, 123_456_789].map(bytes), ['0 B', '999 B', '1.5 kB', '123 MB']);
});

test('numbers are grouped, and nothing is all of it before it is', () => {
  assert.equal(number(1234567), '1\u202f234\u202f567');
  assert.equal(share(0.9999), '99\u202f%');
});
