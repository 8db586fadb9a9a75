/** Reads server-sent events out of pieces of text. */
export class EventReader {
  #rest = '';
  #event = {};

  /** The events that a piece completes: `{id, name, data}`. */
  read(piece) {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop();
    const events = [];
    for (const line of lines) {
      if (line !== '') {
        this.#field(line);
      } else if ('data' in this.#event) {
        events.push(this.#event);
        this.#event = {};
      }
    }
    return events;
  }

  #field(line) {
    const colon = line.indexOf(':');
    if (colon <= 0) {
      return; // a comment, or a name without a value
    }
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, '');
    if (name === 'id' || name === 'data') {
      this.#event[name] = value;
    } else if (name === 'event') {
      this.#event.name = value;
    }
  }
}
