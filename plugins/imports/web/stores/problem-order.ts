import type { Page } from '#core/api';
import type { ImportProblem } from '../../contract/index.ts';

/** A problem in the list. A solved one keeps its position, so that nothing moves under the pointer. */
export interface ListedProblem extends ImportProblem {
  readonly isSolved: boolean;
}

export const toProblemKey = ({ sheet, column, severity, finding, value }: ImportProblem): string =>
  JSON.stringify([sheet, column, severity, finding.message, finding.values, value]);

/**
 * Keeps the order of problems while they are fixed: solved ones stay, new ones come last. Lists that are longer than a
 * page have the order of the server.
 */
export class ProblemOrder {
  #listedProblems: readonly ListedProblem[] = [];

  /** Returns a page of the server in this order. Solved problems are dropped above `maxRows` rows. */
  merge(page: Page<ImportProblem>, maxRows: number): Page<ListedProblem> {
    const problemsByKey = new Map(page.rows.map((problem) => [toProblemKey(problem), { ...problem, isSolved: false }]));
    const keptProblems = this.#listedProblems.map((formerProblem): ListedProblem => {
      const key = toProblemKey(formerProblem);
      const problem = problemsByKey.get(key) ?? { ...formerProblem, isSolved: true };
      problemsByKey.delete(key);
      return problem;
    });
    const merged = [...keptProblems, ...problemsByKey.values()];
    const isWholeList = page.offset === 0 && page.total === page.rows.length;
    this.#listedProblems = isWholeList
      ? merged.length > maxRows
        ? merged.filter(({ isSolved }) => !isSolved)
        : merged
      : [];
    return isWholeList
      ? { ...page, rows: [...this.#listedProblems], total: this.#listedProblems.length }
      : { ...page, rows: page.rows.map((problem) => ({ ...problem, isSolved: false })) };
  }
}
