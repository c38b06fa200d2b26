import { instantAt } from '#core';

const earliest = Date.UTC(1990, 0, 1);
const latest = Date.UTC(2200, 0, 1);

/**
 * Reads the time of a pose: Unix seconds or milliseconds, or an ISO 8601 date and time, which is in the time zone of
 * the site if it has no offset. Null if there is no absolute time, such as seconds since the start of a scan. Undefined
 * if the text is unreadable.
 */
export function readPoseTime(text: string, timeZone: string): Date | null | undefined {
  if (text === '') return null;
  const unix = /^-?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : undefined;
  const instant = unix === undefined ? readIso(text, timeZone) : new Date(unix > latest / 1000 ? unix : unix * 1000);
  if (!instant || Number.isNaN(instant.getTime())) return undefined;
  return instant.getTime() >= earliest && instant.getTime() < latest ? instant : null;
}

function readIso(text: string, timeZone: string): Date | undefined {
  const [, day, minutes, seconds = '0', offset] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d(?:\.\d+)?))?\s*(Z|[+-]\d\d:?\d\d)?$/.exec(
      text.replace(/^(\d{4})[:/](\d\d)[:/](\d\d)/, '$1-$2-$3'),
    ) ?? [];
  if (day === undefined) return undefined;
  const start =
    offset === undefined ? instantAt(`${day}T${minutes}`, timeZone) : new Date(`${day}T${minutes}${offset}`);
  return new Date(start.getTime() + Number(seconds) * 1000);
}
