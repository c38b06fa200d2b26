import type { LocalizedError } from '#core';
import type { LocalizedText } from '../contract/index.ts';

interface Choice {
  readonly value: string;
  readonly label: LocalizedText;
}

/** A column with codes in plain words. */
export interface LabelledColumn {
  readonly values?: readonly Choice[];
  readonly terms?: readonly Choice[];
}

/** The plain words of a code; other texts are returned as they are. */
export function formatCode(code: string, { values = [], terms = [] }: LabelledColumn, language: keyof LocalizedText) {
  const find = (choices: readonly Choice[]) => choices.find(({ value }) => value === code)?.label[language];
  return find(values) ?? find(terms) ?? code;
}

/** The values of a finding with plain words for the codes of its column, also in lists with commas. */
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
