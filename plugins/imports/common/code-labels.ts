import type { LocalizedError } from '#core';
import type { LocalizedText } from '../contract/index.ts';

interface Choice {
  readonly value: string;
  readonly label: LocalizedText;
}

/** A column with labels for codes. */
export interface LabelledColumn {
  readonly values?: readonly Choice[];
  readonly terms?: readonly Choice[];
}

/** Returns the label of a code, and other texts unchanged. */
export function formatCode(code: string, { values = [], terms = [] }: LabelledColumn, language: keyof LocalizedText) {
  const findLabel = (choices: readonly Choice[]) => choices.find(({ value }) => value === code)?.label[language];
  return findLabel(values) ?? findLabel(terms) ?? code;
}

/** Replaces the codes in the values of a finding by the labels of its column, also in lists with commas. */
export function formatFindingCodes<T extends LocalizedError>(
  finding: T,
  column: LabelledColumn,
  language: keyof LocalizedText,
): T {
  // Stored findings without values have null.
  if (!finding.values || [...(column.values ?? []), ...(column.terms ?? [])].length === 0) return finding;
  const values = Object.fromEntries(
    Object.entries(finding.values).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? value
            .split(', ')
            .map((code) => formatCode(code, column, language))
            .join(', ')
        : value,
    ]),
  );
  return { ...finding, values };
}
