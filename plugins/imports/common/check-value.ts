import {
  addDays,
  codeChars,
  decimals,
  email,
  findFirstError,
  formatIsoAt,
  hasTwoReadings,
  instantAt,
  isDay,
  integer,
  integerDigits,
  isEmpty,
  mandatoryField,
  max,
  maxLength,
  min,
  minLength,
  nameChars,
  number,
  positive,
  tagNumberChars,
  parseWrittenDate,
  toIsoDay,
  toNumber,
  toPointNumber,
  validationMessages,
  wallTimeAt,
  type AmbiguousNumber,
  type Rule,
  type ValidationError,
} from '#core';
import type { ColumnType, ImportColumn, ImportValue, ReadFormat } from '../contract/index.ts';

type PlainValue = string | number | boolean | Date | null | readonly string[];

/** A cell of a workbook whose shown text differs from its value: `5 %` for 0.05, and a date without its time. */
type FormattedCell = { readonly percent: number } | { readonly day: string | Date };

/** A cell as files and API calls contain it. Dates of workbooks are wall times, as if they were UTC. */
export type RawValue = PlainValue | FormattedCell | { readonly error: string };

/** Stands for a column that a JSON row lacks. Unlike an empty cell, it keeps the present value. */
export const absentCell = { absent: true } as const;
export type Cell = RawValue | typeof absentCell;

export const isAbsent = (cell: Cell | undefined): cell is typeof absentCell =>
  typeof cell === 'object' && cell !== null && 'absent' in cell;

export interface CheckedValue {
  /** The parsed value, or the cell as written if it is invalid. */
  readonly value: ImportValue;
  readonly error?: ValidationError;
  /** What a person should know about a value that is accepted. */
  readonly warning?: ValidationError;
}

const toError = (message: `imports.refused.${string}`, values?: ValidationError['values']): ValidationError => ({
  message,
  ...(values ? { values } : {}),
});

/** The rules of a column, as an import applies them to a value. Forms of the same data use them too. */
export type ColumnRules = Pick<
  ImportColumn,
  | 'type'
  | 'required'
  | 'minLength'
  | 'maxLength'
  | 'min'
  | 'max'
  | 'decimals'
  | 'integerDigits'
  | 'periodEdge'
  | 'values'
  | 'synonyms'
  | 'rules'
> &
  Partial<Pick<ImportColumn, 'header'>>;

/** Default maximum lengths of text types, in characters. */
const maxLengths: Partial<Record<ColumnType, number>> = { CODE: 50, NAME: 150, TAGNO: 80, REFERENCE: 150, TEXT: 2000 };
const maxListLength = 1000;
const charRules: Partial<Record<ColumnType, Rule>> = {
  CODE: codeChars,
  NAME: nameChars,
  TAGNO: tagNumberChars,
  EMAIL: email,
};

/** How the values of a column of a file are read. */
export interface ValueReading {
  /** The format of values that can be read in two ways; without it they are refused. */
  readonly format?: ReadFormat | undefined;
  /** Converts a number to the unit of the column, in which it is checked. */
  readonly convert?: ((value: number) => number) | undefined;
}

/** Parses and checks one value by the rules of its column. `timeZone` is that of dates without an offset. */
export function checkValue(
  column: ColumnRules,
  raw: RawValue,
  timeZone: string,
  reading: ValueReading = {},
): CheckedValue {
  if (isCellError(raw)) return { value: raw.error, error: toError('imports.refused.cellError', { error: raw.error }) };
  if (isFormattedCell(raw)) return checkFormattedCell(column, raw, timeZone, reading);
  const value = raw instanceof Date ? raw : normalise(raw, column.type);
  if (isEmpty(value)) {
    const error = column.required === true ? mandatoryField(undefined) : undefined;
    return { value: null, ...(error ? { error } : {}) };
  }
  const invisibleError = column.required === true ? mandatoryField(value) : undefined;
  if (invisibleError) return { value: toWritten(value), error: invisibleError };
  return checkType(column, value, timeZone, reading);
}

/** Checks a cell whose shown text differs from its value. Warns of a percentage in a column of another unit. */
function checkFormattedCell(
  column: ColumnRules,
  cell: FormattedCell,
  timeZone: string,
  reading: ValueReading,
): CheckedValue {
  if ('day' in cell) return checkValue(column, toDayText(cell.day, column.type), timeZone, reading);
  const percent = Number((cell.percent * 100).toPrecision(12));
  if (column.header?.en.endsWith('(%)')) return checkValue(column, percent, timeZone, reading);
  const checkedValue = checkValue(column, cell.percent, timeZone, reading);
  if (checkedValue.error || checkedValue.warning) return checkedValue;
  const readValue = typeof checkedValue.value === 'number' ? checkedValue.value : cell.percent;
  return { ...checkedValue, warning: toError('imports.refused.percent', { shown: `${percent} %`, read: readValue }) };
}

/** Text columns get the date with a time, by which `textDatePattern` recognizes it. */
const toDayText = (day: string | Date, type: ColumnType): string => {
  const text = day instanceof Date ? formatWallTime(day) : day;
  return type === 'DATETIME' ? text.slice(0, 10) : text;
};

function checkType(column: ColumnRules, value: PlainValue, timeZone: string, reading: ValueReading): CheckedValue {
  switch (column.type) {
    case 'NUMBER':
    case 'INTEGER':
      return checkNumber(column, value, reading);
    case 'BOOLEAN':
      return checkBoolean(value);
    case 'DATETIME':
      return checkDate(column, value, timeZone, reading.format);
    case 'ENUM':
      return checkChoice(column, value);
    case 'LIST':
      return checkList(column, value);
    default: {
      const text = toText(value);
      const error = findFirstError(text, listTextRules(column));
      if (error) return { value: text, error };
      return textDatePattern.test(text)
        ? { value: text, warning: toError('imports.refused.textIsDate', { value: text }) }
        : { value: text };
    }
  }
}

/**
 * Matches the output of `formatWallTime`. Text columns warn of it, because a spreadsheet turns a code such as `11-26`
 * into a date.
 */
const textDatePattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2})?$/;

function listTextRules(column: ColumnRules): readonly Rule[] {
  const { type, minLength: shortest, maxLength: longest = maxLengths[type] } = column;
  const charRule = charRules[type];
  return [
    ...(charRule ? [charRule] : []),
    ...(longest === undefined ? [] : [maxLength(longest) as Rule]),
    ...(shortest === undefined ? [] : [minLength(shortest) as Rule]),
    ...(column.rules ?? []),
  ];
}

function checkNumber(column: ColumnRules, value: PlainValue, { format, convert }: ValueReading): CheckedValue {
  const { min: lowest, max: highest } = column;
  const rules: readonly Rule[] = [
    number,
    ...(column.type === 'INTEGER' ? [integer] : []),
    ...(lowest === 0 ? [positive] : []),
    ...(lowest === undefined ? [] : [min(lowest)]),
    ...(highest === undefined ? [] : [max(highest)]),
    ...(column.integerDigits === undefined ? [] : [integerDigits(column.integerDigits)]),
    ...(column.decimals === undefined ? [] : [decimals(column.decimals)]),
  ];
  const writtenValue = toWritten(value);
  if (typeof writtenValue === 'boolean') return { value: writtenValue, error: { message: 'core.validation.number' } };
  const read = typeof writtenValue === 'string' ? toPointNumber(writtenValue, format) : { text: writtenValue };
  if ('ambiguous' in read) return { value: writtenValue, error: createAmbiguityError(read.ambiguous, convert) };
  if ('contradicts' in read) return { value: writtenValue, error: toError(numberMessages[read.contradicts]) };
  const numberToConvert = convert && toNumber(read.text);
  const convertedValue = numberToConvert === undefined ? read.text : convert!(numberToConvert);
  const error = findFirstError(convertedValue, rules);
  if (!error) return { value: toNumber(convertedValue) ?? null };
  const isDoubtful = typeof writtenValue === 'string' && hasTwoReadings(writtenValue);
  const explainedError = isDoubtful ? explainReading(error, writtenValue, String(convertedValue)) : error;
  return { value: numberToConvert === undefined ? writtenValue : convertedValue, error: explainedError };
}

/** Extends the error of a refused number: says how it was read, and that its comma can be read otherwise. */
function explainReading(error: ValidationError, writtenText: string, read: string): ValidationError {
  const { count = 0, max: highest = 0, min: lowest = 0 } = error.values ?? {};
  switch (error.message) {
    case validationMessages.decimals:
    case validationMessages.integer:
      return toError('imports.refused.readDecimals', { written: writtenText, read, count });
    case validationMessages.integerDigits:
      return toError('imports.refused.readDigits', { written: writtenText, read, count });
    case validationMessages.max:
      return toError('imports.refused.readMax', { written: writtenText, read, max: highest });
    case validationMessages.min:
      return toError('imports.refused.readMin', { written: writtenText, read, min: lowest });
    default:
      return error;
  }
}

/**
 * Names both readings, because one that is a thousand times too large must never be proposed alone. They are converted,
 * because corrections have the unit of the column.
 */
function createAmbiguityError(
  { separator, point, whole }: AmbiguousNumber,
  convert: ValueReading['convert'],
): ValidationError {
  if (convert)
    return toError('imports.refused.readingsConverted', {
      point: String(convert(Number(point))),
      whole: String(convert(Number(whole))),
    });
  return separator === ','
    ? toError('imports.refused.comma', { point, whole })
    : toError('imports.refused.point', { point, whole, comma: point.replace('.', ',') });
}

const booleanByText: ReadonlyMap<string, boolean> = new Map([
  ...['y', 'yes', 'true', 'o', 'oui', 'vrai', '1'].map((text) => [text, true] as const),
  ...['n', 'no', 'false', 'non', 'faux', '0'].map((text) => [text, false] as const),
]);

function checkBoolean(value: PlainValue): CheckedValue {
  if (typeof value === 'boolean') return { value };
  const writtenText = toText(value);
  const foundValue = booleanByText.get(writtenText.toLowerCase());
  return foundValue === undefined
    ? { value: writtenText, error: toError('imports.refused.boolean') }
    : { value: foundValue };
}

const wallTimePattern = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(?::([0-5]\d))?)?$/;
const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;

function checkDate(
  { periodEdge }: Pick<ColumnRules, 'periodEdge'>,
  value: PlainValue,
  timeZone: string,
  format: ReadFormat | undefined,
): CheckedValue {
  const writtenText = value instanceof Date ? formatWallTime(value) : toText(value);
  const { day, time, seconds } = readWallTime(writtenText, format) ?? {};
  const instant = instantPattern.test(writtenText)
    ? new Date(writtenText)
    : isDay(day)
      ? instantAt(`${day}T${time ?? '00:00'}`, timeZone)
      : undefined;
  if (instant === undefined || Number.isNaN(instant.getTime()))
    return { value: writtenText, error: toError(dateMessages[format ?? 'AS_WRITTEN'] ?? 'imports.refused.date') };
  const warning = instantPattern.test(writtenText)
    ? undefined
    : ((time === undefined ? findPeriodEdgeWarning(periodEdge, day ?? '') : undefined) ??
      findClockChangeWarning(`${day ?? ''}T${time ?? '00:00'}`, instant, timeZone));
  // Workbooks and the product keep seconds, so that an export equals what was imported.
  if (!instantPattern.test(writtenText)) instant.setUTCSeconds(Number(seconds));
  instant.setUTCMilliseconds(0);
  return { value: instant.toISOString(), ...(warning ? { warning } : {}) };
}

/** The warning for a day without a time in a column that begins or ends a period. */
function findPeriodEdgeWarning(periodEdge: ColumnRules['periodEdge'], day: string): ValidationError | undefined {
  const value = `${day} 00:00`;
  if (periodEdge === undefined) return undefined;
  return periodEdge === 'START'
    ? toError('imports.refused.dayStarts', { value })
    : toError('imports.refused.dayEnds', { value });
}

const maxClockChangeMs = 3 * 3_600_000;

/** The warning for a local time that clocks skip or repeat. It names the instant that is read. */
function findClockChangeWarning(wallTime: string, instant: Date, timeZone: string): ValidationError | undefined {
  const value = wallTime.replace('T', ' ');
  const read = wallTimeAt(instant, timeZone);
  const toRead = (): string => formatIsoAt(instant, timeZone).replace('T', ' ');
  if (read !== wallTime) return toError('imports.refused.timeSkipped', { value, read: toRead() });
  // If clocks go back within these hours, they advance less than the time that passes.
  const laterInstant = new Date(instant.getTime() + maxClockChangeMs);
  const setBackMs = maxClockChangeMs - (Date.parse(`${wallTimeAt(laterInstant, timeZone)}Z`) - Date.parse(`${read}Z`));
  const isTwice = setBackMs > 0 && wallTimeAt(new Date(instant.getTime() + setBackMs), timeZone) === wallTime;
  return isTwice ? toError('imports.refused.timeTwice', { value, read: toRead() }) : undefined;
}

const numberMessages = {
  DECIMAL_COMMA: 'imports.refused.numberDecimalComma',
  THOUSANDS_COMMA: 'imports.refused.numberThousandsComma',
} as const;

const dateMessages: Partial<Record<ReadFormat, `imports.refused.${string}`>> = {
  DAY_FIRST: 'imports.refused.dateDayFirst',
  MONTH_FIRST: 'imports.refused.dateMonthFirst',
};

/** The parts of a date without an offset, by the format of its column if the year is last. */
function readWallTime(
  writtenText: string,
  format: ReadFormat | undefined,
): { readonly day: string | undefined; readonly time: string | undefined; readonly seconds: string } | undefined {
  const [, day, time, seconds = '0'] = wallTimePattern.exec(writtenText) ?? [];
  // 24:00 is the end of a day (ISO 8601).
  if (isDay(day) && time === '24:00' && Number(seconds) === 0) return { day: addDays(day, 1), time: '00:00', seconds };
  if (day !== undefined) return { day, time, seconds };
  const date = parseWrittenDate(writtenText);
  if (!date || (date.first !== date.second && format !== 'DAY_FIRST' && format !== 'MONTH_FIRST')) return undefined;
  return { day: toIsoDay(date, format === 'DAY_FIRST'), time: date.time, seconds: date.seconds };
}

/** A date of a workbook as people write it: `2026-11-21 06:00`, with seconds if there are any. Empty if invalid. */
export function formatWallTime(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  // Workbooks store a time as a fraction of a day, so a whole second can come as 59.9999.
  const roundedTime = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString();
  return roundedTime.slice(0, roundedTime.slice(17, 19) === '00' ? 16 : 19).replace('T', ' ');
}

function checkChoice({ values = [], synonyms = [] }: ColumnRules, value: PlainValue): CheckedValue {
  const writtenText = toText(value);
  const foldedText = foldWord(writtenText);
  const choice = mapValuesByWord(values).get(foldedText);
  if (choice !== undefined) return { value: choice };
  const synonym = synonyms.find(({ text }) => foldWord(text) === foldedText);
  if (synonym) return { value: synonym.value, warning: { message: synonym.warning } };
  return {
    value: writtenText,
    error: toError('imports.refused.enum', { values: values.map((each) => each.value).join(', ') }),
  };
}

type Choices = NonNullable<ImportColumn['values']>;

/** The words of a listed value: itself, its labels, and other words for it. */
export const listWords = ({ value, label, words = [] }: Choices[number]): readonly string[] => [
  value,
  label.en,
  label.fr,
  ...words,
];

const valueByWordCache = new WeakMap<Choices, ReadonlyMap<string, string>>();

/**
 * Listed values by their folded words. Cached, because folding them for each cell would take longer than all other
 * checks.
 */
function mapValuesByWord(choices: Choices): ReadonlyMap<string, string> {
  const cachedMap = valueByWordCache.get(choices);
  if (cachedMap) return cachedMap;
  const valueByWord = new Map(
    choices.toReversed().flatMap((choice) => listWords(choice).map((word) => [foldWord(word), choice.value] as const)),
  );
  valueByWordCache.set(choices, valueByWord);
  return valueByWord;
}

function checkList(column: ColumnRules, value: PlainValue): CheckedValue {
  const items = (Array.isArray(value) ? (value as readonly string[]) : toText(value).split(';'))
    .map((item) => collapseSpaces(item))
    .filter((item) => item !== '');
  if (items.length > maxListLength)
    return { value: items, error: toError('imports.refused.listTooLong', { max: maxListLength }) };
  if (items.length === 0 && column.required === true) return checkValue(column, null, 'UTC');
  const rules = listTextRules({ ...column, type: 'REFERENCE' });
  const error = items.map((item) => findFirstError(item, rules)).find((itemError) => itemError !== undefined);
  return { value: items.length === 0 ? null : items, ...(error ? { error } : {}) };
}

export const isCellError = (raw: RawValue): raw is { readonly error: string } =>
  typeof raw === 'object' && raw !== null && 'error' in raw;

export const isFormattedCell = (raw: RawValue): raw is FormattedCell =>
  typeof raw === 'object' && raw !== null && ('percent' in raw || 'day' in raw);

/** The stored content of a formatted cell. */
export const toCellContent = (cell: FormattedCell): number | string =>
  'percent' in cell ? cell.percent : cell.day instanceof Date ? formatWallTime(cell.day) : cell.day;

/** Normalises a value or header for comparisons: lower case, composed accents, single spaces. */
export const fold = (text: string): string => collapseSpaces(text).toLowerCase();

/**
 * Normalises a word for comparisons: like `fold`, and also without accents, with plain apostrophes, and with spaces
 * instead of hyphens between letters.
 */
export const foldWord = (text: string): string =>
  fold(text)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('œ', 'oe')
    .replaceAll(/[’‘´`]/g, "'")
    .replaceAll(/(?<=\p{L})[-_](?=\p{L})/gu, ' ');

const collapseSpaces = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/\p{Surrogate}|\0/gu, '\u{fffd}')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Collapses spaces, but keeps the lines of a long text. */
const collapseLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => collapseSpaces(line))
    .join('\n')
    .trim();

function normalise(raw: Exclude<PlainValue, Date>, type: ColumnType): typeof raw {
  const value = Array.isArray(raw) && type !== 'LIST' ? toText(raw) : raw;
  if (typeof value !== 'string') return value;
  return type === 'TEXT' ? collapseLines(value) : collapseSpaces(value);
}

const toText = (value: PlainValue): string =>
  value instanceof Date
    ? formatWallTime(value)
    : Array.isArray(value)
      ? value.join('; ')
      : typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'
        ? String(value)
        : '';

/** An invalid value as it is stored and shown. */
const toWritten = (value: PlainValue): string | number | boolean =>
  typeof value === 'number' || typeof value === 'boolean' ? value : toText(value);
