// Dates of spreadsheets: days since an epoch, recognized by the number format of the cell. A cell has no time zone, so
// the UTC fields of a `Date` are the date and time that the cell shows.
const dayMs = 86_400_000;
const epoch1900 = Date.UTC(1899, 11, 31);
const epoch1904 = Date.UTC(1904, 0, 1);
/** 9999-12-31, the last day of spreadsheets. */
const maxMs = Date.UTC(10_000, 0, 1);

/** Returns undefined if the number is no date. 60 is 1900-02-29 in the 1900 system, a day that did not exist. */
export function toDate(serial, is1904) {
  if (serial < 0 || (!is1904 && Math.floor(serial) === 60)) return undefined;
  const days = !is1904 && serial > 60 ? serial - 1 : serial;
  const ms = (is1904 ? epoch1904 : epoch1900) + Math.round(days * dayMs);
  return ms < maxMs ? new Date(ms) : undefined;
}

const isoDate = /^(?:(\d{4})-(\d\d)-(\d\d))?(?:T(\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?)?Z?$/;

/** Parses a cell of type `d`, as strict workbooks have. */
export function parseIsoCell(text) {
  const match = isoDate.exec(text);
  if (!match || text === '') return undefined;
  const [year = 1899, month = 12, day = 31, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => (part === undefined ? undefined : Number(part)));
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second, Math.round(Number(match[7] ?? 0) * 1000)));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : undefined;
}

/** Ids of the built-in date formats, including those for East Asian languages (ECMA-376, 18.8.30). */
const isBuiltInDate = (id) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || id === 45 || id === 47 || (id >= 50 && id <= 58);

/** The first section of a number format without texts and colours. */
function findShownPart(code) {
  const [section = ''] = code
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .replaceAll(/\[(?:\$[^\]]*|black|blue|cyan|green|magenta|red|white|yellow|color\s*\d+|[<>=][^\]]*)\]/gi, '')
    .split(';');
  return section;
}

/** Whether a number format shows a date or a time of day. Elapsed time, such as `[h]:mm`, is a number of days. */
export function isDateFormat(id, code) {
  if (code === undefined) return isBuiltInDate(id);
  const section = findShownPart(code);
  if (/\[[hms]+\]/i.test(section)) return false;
  return /[ymdhs]/i.test(section.replaceAll(/general|e[+-]/gi, ''));
}

/** Whether a format of dates shows days without a time. */
export const isDayFormat = (id, code) =>
  code === undefined ? id >= 14 && id <= 17 : !/[hs]/i.test(findShownPart(code));

/** Whether a number format shows numbers as percentages. 9 and 10 are built in. */
export const isPercentFormat = (id, code) =>
  code === undefined ? id === 9 || id === 10 : /%/.test(findShownPart(code));
