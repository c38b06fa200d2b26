import type { ImportColumnInfo, ImportProblem, ImportValue } from '../../contract/index.ts';

type Problem = Pick<ImportProblem, 'value' | 'finding'>;

/** The written value that is wrong: one element of a list, else the value. Undefined if nothing was written. */
export function findWrittenText({ value, finding }: Problem): string | undefined {
  const namedValue = finding.values?.['value'];
  if (Array.isArray(value)) return typeof namedValue === 'string' ? namedValue : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value of all rows after a proposal was chosen. In a list only the wrong element is replaced. */
export function toProposedValue(problem: Problem, proposal: string): ImportValue {
  const { value } = problem;
  const writtenText = findWrittenText(problem);
  return Array.isArray(value) && writtenText !== undefined
    ? value.map((item) => (item === writtenText ? proposal : item))
    : proposal;
}

/** Problems that the same value in all rows does not fix. */
const distinctMessages: readonly string[] = ['imports.refused.duplicateRow', 'imports.refused.taken'];

/** Whether the problem is that of a whole column, whose values differ. */
export const isOfColumn = ({ finding }: ImportProblem): boolean => finding.message === 'imports.refused.columnUnread';

/** Whether one value for all rows of the problem can fix it. */
export const isReplaceable = (problem: ImportProblem): boolean =>
  problem.column !== null && !isOfColumn(problem) && !distinctMessages.includes(problem.finding.message);

/**
 * The value of all rows without what is wrong: of a list without the wrong element, else null. Undefined if that is the
 * next error, is no error today, or if it is unknown which element of a list is wrong.
 */
export function toEmptiedValue(problem: ImportProblem, info: ImportColumnInfo | undefined): ImportValue | undefined {
  const { value, severity } = problem;
  if (!isReplaceable(problem) || severity !== 'ERROR' || value === null) return undefined;
  const writtenText = findWrittenText(problem);
  if (Array.isArray(value) && value.length > 1) {
    const otherItems = value.filter((item) => item !== writtenText);
    if (otherItems.length === value.length) return undefined;
    if (otherItems.length > 0) return otherItems;
  }
  return info?.required || info?.key ? undefined : null;
}
