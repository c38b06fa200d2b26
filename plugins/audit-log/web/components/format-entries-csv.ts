import Papa from 'papaparse';
import type { AuditLogEntry } from '#core/api';

export interface EntriesCsvOptions {
  readonly headers: readonly [
    utc: string,
    at: string,
    person: string,
    action: string,
    what: string,
    name: string,
    subject: string,
    place: string,
    details: string,
  ];
  readonly describe: (entry: AuditLogEntry) => string;
  readonly formatName: (entry: AuditLogEntry) => string;
  readonly formatInstant: (at: string) => string;
  readonly formatLocation: (location: string) => string;
}

/** Excel recognizes UTF-8 by it. */
const byteOrderMark = '\uFEFF';

/** Formats entries as CSV with a header. Escapes texts that a spreadsheet would evaluate as formulas. */
export function formatEntriesCsv(entries: readonly AuditLogEntry[], options: EntriesCsvOptions): string {
  const rows = entries.map((entry) => [
    entry.at,
    options.formatInstant(entry.at),
    entry.actor?.name ?? '',
    entry.action,
    options.describe(entry),
    entry.name === null ? '' : options.formatName(entry),
    entry.subject,
    entry.location === null ? '' : options.formatLocation(entry.location),
    JSON.stringify(entry.details),
  ]);
  return `${byteOrderMark}${Papa.unparse({ fields: [...options.headers], data: rows }, { escapeFormulae: true })}\r\n`;
}
