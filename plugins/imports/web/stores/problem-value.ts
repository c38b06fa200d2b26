import type { ImportColumnInfo, ImportProblem, ImportValue } from '../../contract/index.ts';

type Problem = Pick<ImportProblem, 'value' | 'finding'>;

/** The wrong text in the cell: one element of a list, else the whole value. Undefined if the cell is empty. */
export function findWrittenText({ value, finding }: Problem): string | undefined {
  const namedValue = finding.values?.['value'];
  if (Array.isArray(value)) return typeof namedValue === 'string' ? namedValue : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value for all rows of a problem after a proposal is chosen. In a list only the wrong element is replaced. */
export function toProposedValue(problem: Problem, proposal: string): ImportValue {
  const { value } = problem;
  const writtenText = findWrittenText(problem);
  return Array.isArray(value) && writtenText !== undefined
    ? value.map((item) => (item === writtenText ? proposal : item))
    : proposal;
}

/** Messages of problems that one value for all rows cannot fix, because the values must differ. */
const distinctValueMessages: readonly string[] = ['imports.refused.duplicateRow', 'imports.refused.taken'];

/** Whether the problem concerns a whole column instead of one value. */
export const isColumnProblem = ({ finding }: ImportProblem): boolean =>
  finding.message === 'imports.refused.columnUnread';

/** Whether one value for all rows of the problem can fix it. */
export const isReplaceable = (problem: ImportProblem): boolean =>
  problem.column !== null && !isColumnProblem(problem) && !distinctValueMessages.includes(problem.finding.message);

/**
 * The value for all rows of a problem after the wrong part is removed: a list without its wrong element, else null.
 * Undefined if the problem is no error, if an empty cell would be one, or if it is unknown which element is wrong.
 */
export function toEmptiedValue(problem: ImportProblem, column: ImportColumnInfo | undefined): ImportValue | undefined {
  const { value, severity } = problem;
  if (!isReplaceable(problem) || severity !== 'ERROR' || value === null) return undefined;
  const writtenText = findWrittenText(problem);
  if (Array.isArray(value) && value.length > 1) {
    const otherItems = value.filter((item) => item !== writtenText);
    if (otherItems.length === value.length) return undefined;
    if (otherItems.length > 0) return otherItems;
  }
  return column?.required || column?.key ? undefined : null;
}
