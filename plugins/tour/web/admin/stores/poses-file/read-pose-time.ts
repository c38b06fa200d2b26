import { detectDateOrder, instantAt, isDay, parseWrittenDate, toIsoDay, type DateOrder } from '#core';

/** Numbers outside of this period are no absolute times. */
const earliest = Date.UTC(1990, 0, 1);
const latest = Date.UTC(2200, 0, 1);

/**
 * Reads the time of a pose: Unix seconds or milliseconds, an ISO 8601 date and time, or a date with the year last in
 * the given order, such as `12.10.2026 09:10:15`. It is in the time zone of the site if it has no offset. Null if there
 * is no absolute time, such as seconds since the start of a scan. Undefined if the text is unreadable.
 */
export function readPoseTime(text: string, timeZone: string, order?: DateOrder): Date | null | undefined {
  if (text === '') return null;
  const unix = /^-?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : undefined;
  const instant =
    unix === undefined
      ? (readIso(text, timeZone) ?? readWritten(text, timeZone, order))
      : new Date(unix > latest / 1000 ? unix : unix * 1000);
  if (!instant || Number.isNaN(instant.getTime())) return undefined;
  return instant.getTime() >= earliest && instant.getTime() < latest ? instant : null;
}

function readIso(text: string, timeZone: string): Date | undefined {
  const [, day, minutes, seconds = '0', offset] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d(?:\.\d+)?))?\s*(Z|[+-]\d\d:?\d\d)?$/.exec(
      text.replace(/^(\d{4})[:/](\d\d)[:/](\d\d)/, '$1-$2-$3'),
    ) ?? [];
  if (!isDay(day)) return undefined;
  const start =
    offset === undefined ? instantAt(`${day}T${minutes}`, timeZone) : new Date(`${day}T${minutes}${offset}`);
  return new Date(start.getTime() + Number(seconds) * 1000);
}

/** Fractions of a second, which `parseWrittenDate` does not read. */
const fraction = /(:\d\d:\d\d)[.,](\d+)$/;

function readWritten(text: string, timeZone: string, order: DateOrder | undefined): Date | undefined {
  const date = parseWrittenDate(text.replace(fraction, '$1'));
  if (date?.time === undefined) return undefined;
  const ownOrder = detectDateOrder(date);
  if (ownOrder !== undefined && (order === undefined || (ownOrder !== 'EITHER' && ownOrder !== order)))
    return undefined;
  const day = toIsoDay(date, order !== 'MONTH_FIRST');
  if (!isDay(day)) return undefined;
  const seconds = Number(`${date.seconds}.${fraction.exec(text)?.[2] ?? 0}`);
  return new Date(instantAt(`${day}T${date.time}`, timeZone).getTime() + seconds * 1000);
}

/** How the dates of a file with the year last are written. */
export interface DateOrderFinding {
  /** The order that dates of the file prove, if they do not contradict each other. */
  readonly proven?: DateOrder;
  /** The first date that can be read in both orders, or that contradicts another one. Undefined if all have one order. */
  readonly ambiguous?: string;
}

/** Finds the order of the dates of a file. Undefined if no date depends on it. */
export function findDateOrder(texts: readonly string[]): DateOrderFinding | undefined {
  const first: Partial<Record<DateOrder | 'EITHER', string>> = {};
  for (const text of texts) {
    const date = parseWrittenDate(text.replace(fraction, '$1'));
    const order = date && detectDateOrder(date);
    if (order) first[order] ??= text;
  }
  const { DAY_FIRST: dayFirst, MONTH_FIRST: monthFirst, EITHER: either } = first;
  if (dayFirst !== undefined && monthFirst !== undefined) return { ambiguous: monthFirst };
  if (dayFirst !== undefined) return { proven: 'DAY_FIRST' };
  if (monthFirst !== undefined) return { proven: 'MONTH_FIRST' };
  return either === undefined ? undefined : { ambiguous: either };
}
