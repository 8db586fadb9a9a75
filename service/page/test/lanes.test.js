import assert from 'node:assert/strict';
import { test } from 'node:test';
import { end, Lanes, start, throughput } from '../app/lanes.js';

const started = (seconds, chunk = 0, device = 'cpu:0') => ({
  event: 'started', job: 'a', seconds, rung: '720p', chunk, device,
});
const committed = (seconds, chunk = 0, device = 'cpu:0') => ({
  event: 'committed', job: 'a', seconds, rung: '720p', chunk, device,
  frames: 48, bytes: 9, fromSeconds: seconds - 2, busySeconds: 2,
});

test('a chunk is at work until it is committed, and has the times of its device then', () => {
  const lanes = new Lanes();
  lanes.add(started(1), 101_000);
  assert.equal(end(lanes.bars[0]), Infinity);
  lanes.add(committed(4), 104_500);
  assert.equal(lanes.bars.length, 1);
  assert.equal(start(lanes.bars[0]), 102_000);
  assert.equal(end(lanes.bars[0]), 104_000);
});

test('an event that comes late does not move what came in time', () => {
  const lanes = new Lanes();
  lanes.add(started(1), 101_000);
  lanes.add({ event: 'progress', job: 'a', seconds: 5 }, 109_000);
  assert.equal(start(lanes.bars[0]), 101_000);
});

test('bars of the past are shown when it is known when that was', () => {
  const lanes = new Lanes();
  lanes.add(started(1), 900_000, true);
  lanes.add(committed(3), 900_000, true);
  assert.equal(lanes.since(0).length, 0);
  lanes.ended('a', 500_000);
  assert.equal(end(lanes.since(0)[0]), 500_000);
});

test('a job that went on ran before that, and its chunks were over', () => {
  const lanes = new Lanes();
  lanes.add(started(1), 900_000, true);
  lanes.add({ event: 'state', job: 'a', state: 'parked' }, 900_000, true);
  lanes.add({ event: 'planned', job: 'a', seconds: 0, rungs: [] }, 900_000, true);
  lanes.add({ event: 'progress', job: 'a', seconds: 100 }, 900_100);
  const [bar] = lanes.since(0);
  assert.equal(bar.ending, 'stopped');
  assert.ok(end(bar) <= 800_100);
});

test('of two devices with the same chunk one is overtaken', () => {
  const lanes = new Lanes();
  lanes.add(started(1, 0, 'cpu:0'), 101_000);
  lanes.add(started(1, 0, 'cpu:1'), 101_000);
  lanes.add(committed(3, 0, 'cpu:1'), 103_000);
  assert.deepEqual(lanes.bars.map(({ ending }) => ending), ['overtaken', 'committed']);
});

test('a device with two slots has two chunks side by side, one with one slot never', () => {
  const lanes = new Lanes();
  lanes.devices([{ label: 'gpu:0', slots: 2 }]);
  lanes.add(started(1, 0, 'gpu:0'), 101_000);
  lanes.add(started(1, 1, 'gpu:0'), 101_000);
  lanes.add(started(1, 2, 'cpu:0'), 101_000);
  lanes.add(started(2, 3, 'cpu:0'), 102_000);
  assert.deepEqual(lanes.bars.map(({ slot }) => slot), [0, 1, 0, 0]);
});

test('what a worker had when it died has failed', () => {
  const lanes = new Lanes();
  lanes.add(started(1, 12), 101_000);
  const notice = { event: 'notice', job: 'a', seconds: 2, what: 'died', interrupted: ['720p/000012'] };
  lanes.add(notice, 102_000);
  assert.equal(lanes.bars[0].ending, 'failed');
});

test('frames count evenly over the time of their chunk, and at the last pace while one is at work', () => {
  const lanes = new Lanes();
  lanes.add(started(0, 0), 100_000);
  lanes.add(committed(2, 0), 102_000);
  lanes.add(started(2, 1), 102_000);
  assert.deepEqual(throughput(lanes.since(0), 99_000, 104_000, 1_000), [0, 24, 24, 24, 24]);
});
