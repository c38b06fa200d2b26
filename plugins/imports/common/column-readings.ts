import { detectDateOrder, detectNumberFormat, parseWrittenDate } from '#core';
import type { ColumnType, ReadFormat } from '../contract/index.ts';

type ReadClass = 'DATE' | 'NUMBER';

/** The formats of each class of values. A value fits one or both formats of its class. */
const formatsByClass: Readonly<Record<ReadClass, readonly ReadFormat[]>> = {
  DATE: ['DAY_FIRST', 'MONTH_FIRST'],
  NUMBER: ['DECIMAL_COMMA', 'THOUSANDS_COMMA'],
};

/** By format: the first written value that only this format fits. By class: the first one that fits both formats. */
export type ColumnEvidence = Partial<Record<ReadFormat | ReadClass, string>>;

/** A column of a file: the values that decide its format, and the format that a person has chosen. */
export interface ReadableColumn {
  readonly evidence?: ColumnEvidence;
  /** What a person has chosen, for this file or for one with the same header. */
  readonly format?: ReadFormat;
  readonly formatBy?: 'CHOSEN' | 'REMEMBERED';
}

/** How a column with ambiguous values is read. */
export interface ColumnReading {
  /** The formats that a person can choose. */
  readonly choices: readonly ReadFormat[];
  /** Null if nothing decides. */
  readonly format: ReadFormat | null;
  /** VALUES: a value of the column decides, unless a person chooses. */
  readonly by: 'VALUES' | 'CHOSEN' | 'REMEMBERED' | null;
  /** Written values of the column that decide, contradict each other, or leave it open. */
  readonly examples: readonly string[];
  /** Whether values contradict each other. */
  readonly isMixed: boolean;
  /** Whether a person must choose, or confirm the remembered format. */
  readonly isOpen: boolean;
}

/** Adds a written value if it is the first one of its column for a format or class. Returns whether it was added. */
export function addEvidence(evidence: ColumnEvidence, text: string): boolean {
  const key = detectDateFormat(text) ?? detectNumberFormat(text);
  if (key === undefined || evidence[key] !== undefined) return false;
  evidence[key] = text.trim();
  return true;
}

function detectDateFormat(text: string): ReadFormat | 'DATE' | undefined {
  const date = parseWrittenDate(text);
  const order = date && detectDateOrder(date);
  return order === 'EITHER' ? 'DATE' : order;
}

const findClass = (type: ColumnType | undefined): ReadClass | undefined =>
  type === 'DATETIME' ? 'DATE' : type === 'NUMBER' || type === 'INTEGER' ? 'NUMBER' : undefined;

/** The formats that a person can choose for a column of this type. */
export function listFormats(type: ColumnType | undefined): readonly ReadFormat[] {
  const readClass = findClass(type);
  return readClass === undefined ? [] : [...formatsByClass[readClass], 'AS_WRITTEN'];
}

/**
 * How a column of this type is read: as a person has chosen for the file, else as its values decide, else as for a file
 * with the same header. Undefined if none of its values can be read in two ways.
 */
export function findReading(
  { evidence = {}, format, formatBy }: ReadableColumn,
  type: ColumnType | undefined,
): ColumnReading | undefined {
  const readClass = findClass(type);
  if (readClass === undefined) return undefined;
  const decidedFormats = formatsByClass[readClass].filter((candidate) => evidence[candidate] !== undefined);
  const keys: readonly (ReadFormat | ReadClass)[] = [...decidedFormats, readClass];
  const examples = keys.flatMap((key) => evidence[key] ?? []);
  if (examples.length === 0) return undefined;
  const choices = listFormats(type);
  const isMixed = decidedFormats.length > 1;
  const validFormat = format !== undefined && choices.includes(format) ? format : null;
  if (validFormat !== null && formatBy === 'CHOSEN')
    return { choices, format: validFormat, by: formatBy, examples, isMixed, isOpen: false };
  if (decidedFormats.length === 1)
    return {
      choices,
      format: decidedFormats[0]!,
      by: 'VALUES',
      examples: examples.slice(0, 1),
      isMixed,
      isOpen: false,
    };
  // A choice for another file does not apply to a column that contradicts itself.
  if (validFormat === null || isMixed) return { choices, format: null, by: null, examples, isMixed, isOpen: true };
  // The same header may come from a program of another country, and a wrong date cannot be seen.
  return { choices, format: validFormat, by: 'REMEMBERED', examples, isMixed, isOpen: readClass === 'DATE' };
}
