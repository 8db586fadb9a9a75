import { Hub } from './hub.js';

// A shared worker: all tabs of a browser have one, and so one connection for events. A browser opens
// six to a host, and eight tabs with a stream each would leave none for anything else.
const hub = new Hub();

self.addEventListener('connect', ({ ports: [port] }) => {
  const send = (message) => port.postMessage(message);
  port.addEventListener('message', ({ data }) => {
    if (data === 'join') {
      hub.join(send);
    } else if (data === 'leave') {
      hub.leave(send);
    } else if (data === 'hurry') {
      hub.hurry();
    } else if (data === 'renew') {
      hub.renew();
    }
  });
  port.start();
});
