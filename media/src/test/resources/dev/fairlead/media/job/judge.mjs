// What others say of a package: m3u8-parser of its playlists, mp4box.js and shaka-packager of its
// files. Prints a JSON object: complaints, and what was seen of each playlist and each track.
import {spawnSync} from 'node:child_process';
import {createRequire} from 'node:module';
import fs from 'node:fs';
import path from 'node:path';

const require = createRequire(import.meta.url);
const {Parser} = require('m3u8-parser');
const MP4Box = require('mp4box');
const shaka = require.resolve('shaka-packager');

const [output, scratch] = process.argv.slice(2);
const result = {complaints: [], playlists: {}, tracks: {}};
const complain = (who, what, text) => result.complaints.push(`${who} of ${what}: ${text}`);

function playlist(file) {
  const name = path.relative(output, file);
  const parser = new Parser();
  for (const event of ['warn', 'error']) {
    parser.on(event, (told) => complain('m3u8-parser', name, told.message));
  }
  const text = fs.readFileSync(file, 'utf8');
  parser.push(text);
  parser.end();
  result.playlists[name] = parser.manifest;
  return parser.manifest;
}

/** Every box below this one. */
function* boxes(box) {
  for (const child of box.boxes ?? box.entries ?? []) {
    yield child;
    yield* boxes(child);
  }
}

function mp4box(name, files) {
  const heard = [];
  for (const kind of ['warn', 'error']) {
    console[kind] = (...words) => heard.push(words.join(' '));
  }
  MP4Box.Log.setLogLevel(MP4Box.Log.warn);
  const file = MP4Box.createFile(false);
  file.onError = (...words) => heard.push(words.join(' '));
  let info = {tracks: []};
  file.onReady = (told) => (info = told);
  let at = 0;
  for (const each of files) {
    const bytes = fs.readFileSync(each);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    file.appendBuffer(MP4Box.MP4BoxBuffer.fromArrayBuffer(buffer, at));
    at += bytes.length;
  }
  file.flush();
  const track = (result.tracks[name] ??= {boxes: [], codecs: []});
  track.codecs = info.tracks.map((each) => each.codec);
  if (info.tracks.length === 0) {
    heard.push('there is no track');
  }
  for (const each of info.tracks) {
    if (file.getTrackSamplesInfo(each.id).length === 0) {
      heard.push(`track ${each.id} has no samples`);
    }
  }
  for (const box of boxes(file)) {
    if (box.type && !track.boxes.includes(box.type)) {
      track.boxes.push(box.type);
    }
    if (box.has_unparsed_data) {
      heard.push(`${box.type} has bytes that are not understood`);
    }
    if (box.type === 'colr') {
      track.colour = [box.colour_primaries, box.transfer_characteristics, box.matrix_coefficients];
    }
  }
  heard.forEach((text) => complain('mp4box.js', name, text));
}

function shakaPackager(name, file, streams) {
  const made = path.join(scratch, 'packaged');
  const told = streams.map((stream) => `in=${file},stream=${stream},out=${made}-${stream}.mp4`);
  const run = spawnSync(process.execPath, [shaka, ...told, '--dump_stream_info'], {encoding: 'utf8'});
  const lines = run.stderr.split('\n').filter((line) => /^[WEF]\d{4} /.test(line));
  lines.forEach((line) => complain('shaka-packager', name, line));
  if (run.status !== 0 || !run.stdout.includes('completed successfully')) {
    complain('shaka-packager', name, `exit ${run.status}: ${run.stderr}${run.stdout}`);
  }
  result.tracks[name].shaka = [...run.stdout.matchAll(/codec_string: (\S+)/g)].map((m) => m[1]);
}

/** All files of a track in one. */
function whole(name, files) {
  const file = path.join(scratch, `${name.replaceAll('/', '-')}.mp4`);
  fs.writeFileSync(file, Buffer.concat(files.map((each) => fs.readFileSync(each))));
  return file;
}

const master = path.join(output, 'master.m3u8');
if (fs.existsSync(master)) {
  playlist(master);
  for (const name of fs.readdirSync(output)) {
    const directory = path.join(output, name);
    const index = path.join(directory, 'index.m3u8');
    if (!fs.existsSync(index)) {
      continue;
    }
    const listed = playlist(index);
    const map = listed.segments[0]?.map?.uri;
    if (map) {
      const init = path.join(directory, map);
      const segments = listed.segments.map((segment) => path.join(directory, segment.uri));
      segments.forEach((segment) => mp4box(name, [init, segment]));
      shakaPackager(name, whole(name, [init, ...segments]), ['0']);
    }
  }
}
for (const name of fs.readdirSync(output).filter((file) => file.endsWith('.mp4'))) {
  const file = path.join(output, name);
  mp4box(name, [file]);
  shakaPackager(name, file, result.tracks[name].codecs.map((_, i) => String(i)));
}
console.log(JSON.stringify(result));
