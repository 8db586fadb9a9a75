import Hls from 'hls.js';

/**
 * Plays a package in a video element; gives what ends it. Loaded only where something is played: it
 * is larger than all the rest. Without a worker of its own: segments are fragmented MP4 already.
 */
export function attach(video, url, { ready, failed }) {
  if (!Hls.isSupported()) {
    video.src = url; // browsers that play such lists themselves
    return { levels: () => [], choose: () => {}, end: () => video.removeAttribute('src') };
  }
  const hls = new Hls({ enableWorker: false, maxBufferLength: 20, backBufferLength: 30 });
  hls.on(Hls.Events.MANIFEST_PARSED, () => ready());
  hls.on(Hls.Events.ERROR, (_, { fatal, type, details }) => {
    if (fatal && type === Hls.ErrorTypes.MEDIA_ERROR && details !== 'manifestIncompatibleCodecsError') {
      hls.recoverMediaError();
    } else if (fatal) {
      failed(details);
    }
  });
  hls.loadSource(url);
  hls.attachMedia(video);
  return {
    levels: () => hls.levels.map(({ width, height, bitrate }) => ({ width, height, bitrate })),
    choose: (level) => {
      hls.currentLevel = level;
    },
    end: () => hls.destroy(),
  };
}
