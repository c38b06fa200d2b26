/** The SQLSTATE of "cached plan must not change result type": the table of a prepared statement was changed. */
export const stalePlan = '0A000';

const minUses = 3;
const maxNames = 300;
const maxCountedTexts = 5000;
const maxTextLength = 20_000;

/**
 * Names repeated statements. The driver prepares a named statement once per connection, which halves the time of a
 * small query. Rare and long statements get no name.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #useCounts = new Map<string, number>();
  #lastNumber = 0;

  findName(text: string, parameters: readonly unknown[]): string | undefined {
    if (parameters.length === 0 || text.length > maxTextLength) return undefined;
    const cached = this.#names.get(text);
    if (cached !== undefined || this.#names.size >= maxNames) return cached;
    const useCount = (this.#useCounts.get(text) ?? 0) + 1;
    if (useCount < minUses) {
      if (this.#useCounts.size >= maxCountedTexts) this.#useCounts.clear();
      this.#useCounts.set(text, useCount);
      return undefined;
    }
    this.#useCounts.delete(text);
    return this.#assignName(text);
  }

  /** Gives a statement a new name, so that all connections prepare it again. Called when its plan is stale. */
  rename(text: string): void {
    if (this.#names.has(text)) this.#assignName(text);
  }

  #assignName(text: string): string {
    this.#lastNumber += 1;
    const name = `walkdown_${this.#lastNumber}`;
    this.#names.set(text, name);
    return name;
  }
}
