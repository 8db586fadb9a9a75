import { Hub } from './hub.js';
import { scriptUrl } from './trusted.js';

/** Tells apart workers of pages that speak to them in another way. */
const PROTOCOL = 'fairlead-1';

/** Joins the stream that all tabs share; where workers cannot be shared, one of its own. */
export function link(take) {
  if (typeof SharedWorker === 'undefined') {
    const hub = new Hub();
    hub.join(take);
    return { hurry: () => hub.hurry(), renew: () => hub.renew() };
  }
  const { port } = new SharedWorker(scriptUrl('/page/feed.js'), { type: 'module', name: PROTOCOL });
  port.addEventListener('message', ({ data }) => take(data));
  port.start();
  port.postMessage('join');
  addEventListener('pagehide', () => port.postMessage('leave'));
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  return { hurry: () => port.postMessage('hurry'), renew: () => port.postMessage('renew') };
}
