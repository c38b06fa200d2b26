import type { Kysely } from 'kysely';
import type { ImportSheet } from '#plugins/imports';
import type { ImportsTables, ReplacedWord } from '../tables.ts';

/** Counts the cells of a sheet whose words are read as other values, as chosen before. */
export class ReplacedWords {
  readonly #words = new Map<string, ReplacedWord>();

  count(word: Omit<ReplacedWord, 'cells'>): void {
    const key = JSON.stringify([word.column, word.written]);
    this.#words.set(key, { ...word, cells: (this.#words.get(key)?.cells ?? 0) + 1 });
  }

  /** The words in the order in which they first occur. */
  get all(): readonly ReplacedWord[] {
    return [...this.#words.values()];
  }
}

/** Stores which words of a sheet were replaced when all of its rows were read. */
export async function storeReplacedWords(
  executor: Kysely<ImportsTables>,
  batch: string,
  { sheet, replacedWords }: { readonly sheet: ImportSheet; readonly replacedWords: ReplacedWords },
): Promise<void> {
  await executor
    .updateTable('sheet')
    .set({ replaced_words: JSON.stringify(replacedWords.all) })
    .where('batch', '=', batch)
    .where('sheet', '=', sheet.id)
    .execute();
}
