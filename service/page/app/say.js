/** The least time between two messages that are read out. */
const QUIET_MILLIS = 3_000;

/** How long the last message is shown. */
const SHOWN_MILLIS = 8_000;

const waiting = [];
let timer = 0;
let fading = 0;

/** Has a message read out, and shown; messages that come close together are one. */
export function say(message) {
  if (!waiting.includes(message)) {
    waiting.push(message);
  }
  if (timer === 0) {
    speak();
  }
}

function speak() {
  const place = document.getElementById('said');
  if (waiting.length === 0 || !place) {
    timer = 0;
    return;
  }
  const few = waiting.length <= 3;
  place.textContent = few
    ? waiting.join(' ')
    : `${waiting.slice(0, 2).join(' ')} And ${waiting.length - 2} more.`;
  waiting.length = 0;
  clearTimeout(fading);
  fading = setTimeout(() => (place.textContent = ''), SHOWN_MILLIS);
  timer = setTimeout(speak, QUIET_MILLIS);
}
