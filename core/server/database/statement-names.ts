/** "cached plan must not change result type": a table was changed under a prepared statement. */
export const stalePlan = '0A000';

const timesBeforeNaming = 3;
const maxNames = 300;
const maxSeen = 5000;
const maxTextLength = 20_000;

/**
 * Names for repeated statements: the driver prepares a named statement once per connection, which halves the cost of a
 * small query. Rare or long texts get no name.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #seen = new Map<string, number>();
  #next = 0;

  nameFor(text: string, parameters: readonly unknown[]): string | undefined {
    if (parameters.length === 0 || text.length > maxTextLength) return undefined;
    const cached = this.#names.get(text);
    if (cached !== undefined || this.#names.size >= maxNames) return cached;
    const times = (this.#seen.get(text) ?? 0) + 1;
    if (times < timesBeforeNaming) {
      if (this.#seen.size >= maxSeen) this.#seen.clear();
      this.#seen.set(text, times);
      return undefined;
    }
    this.#seen.delete(text);
    return this.#name(text);
  }

  /** The plan of this name is stale on some connections: all prepare the text again, under a new name. */
  rename(text: string): void {
    if (this.#names.has(text)) this.#name(text);
  }

  #name(text: string): string {
    this.#next += 1;
    const name = `walkdown_${this.#next}`;
    this.#names.set(text, name);
    return name;
  }
}
