/** One event of a `text/event-stream`. `id` is the latest id so far, from which the next connection resumes. */
export interface StreamEvent {
  readonly id: string | undefined;
  readonly topic: string;
  readonly data: string;
}

/**
 * Splits a `text/event-stream` into events, at any chunk boundaries. Ignores comments and `retry`.
 *
 * @see WHATWG HTML, section 9.2.6
 */
export class EventStreamReader {
  readonly #decoder = new TextDecoder();
  #unparsedText = '';
  #lastId: string | undefined;
  #topic = '';
  #data: string[] = [];

  /** Returns the events that end within this chunk. */
  read(chunk: Uint8Array): readonly StreamEvent[] {
    this.#unparsedText += this.#decoder.decode(chunk, { stream: true });
    const events: StreamEvent[] = [];
    // A carriage return at the end of a chunk may be the first half of CRLF. It waits for the next chunk.
    for (let end = /\r\n|\n|\r(?!$)/.exec(this.#unparsedText); end; end = /\r\n|\n|\r(?!$)/.exec(this.#unparsedText)) {
      const line = this.#unparsedText.slice(0, end.index);
      this.#unparsedText = this.#unparsedText.slice(end.index + end[0].length);
      if (line !== '') this.#readField(line);
      else if (this.#data.length > 0) events.push(this.#finishEvent());
      else this.#topic = '';
    }
    return events;
  }

  #readField(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'id' && !value.includes('\0')) this.#lastId = value;
    else if (name === 'event') this.#topic = value;
    else if (name === 'data') this.#data.push(value);
  }

  #finishEvent(): StreamEvent {
    const event = { id: this.#lastId, topic: this.#topic || 'message', data: this.#data.join('\n') };
    this.#topic = '';
    this.#data = [];
    return event;
  }
}
