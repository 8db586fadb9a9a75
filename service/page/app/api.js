/** Why the server refused something, or could not be asked. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * Asks the server; gives what its JSON says.
 *
 * @throws Refusal in words that can be shown
 */
export async function ask(method, path, body, { headers = {}, signal } = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      signal,
      headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (failure) {
    throw signal?.aborted ? failure : new Refusal(0, 'The server cannot be reached.');
  }
  const text = await answer.text();
  const said = parsed(text);
  if (!answer.ok) {
    throw new Refusal(answer.status, said?.detail ?? said?.title ?? `The server says ${answer.status}.`);
  }
  return said;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const jobPath = (id) => `/v1/jobs/${encodeURIComponent(id)}`;

/** A word that nobody else chooses; `crypto.randomUUID` is not there without TLS. */
export function drawnId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
