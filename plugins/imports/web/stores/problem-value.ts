import type { ImportProblem, ImportValue } from '../../contract/index.ts';

type Problem = Pick<ImportProblem, 'value' | 'finding'>;

/** The written value that is wrong: one element of a list, else the value. Undefined if nothing was written. */
export function findWrittenText({ value, finding }: Problem): string | undefined {
  const named = finding.values?.['value'];
  if (Array.isArray(value)) return typeof named === 'string' ? named : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value of all rows after a proposal was chosen. In a list only the wrong element is replaced. */
export function toProposedValue(problem: Problem, proposal: string): ImportValue {
  const { value } = problem;
  const written = findWrittenText(problem);
  return Array.isArray(value) && written !== undefined
    ? value.map((item) => (item === written ? proposal : item))
    : proposal;
}
