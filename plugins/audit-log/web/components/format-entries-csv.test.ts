import Papa from 'papaparse';
import { expect, it } from 'vitest';
import { formatEntriesCsv } from './format-entries-csv.ts';

const headers = ['UTC', 'Time', 'Person', 'Action', 'What', 'Name', 'Code', 'Location', 'Details'] as const;

it('formats entries as CSV, and escapes texts that a spreadsheet would evaluate as formulas', () => {
  const csv = formatEntriesCsv(
    [
      {
        id: '1',
        at: '2026-11-20T08:00:00.000Z',
        actor: { uid: 'a', name: '=cmd|calc' },
        action: 'tour.deckChanged',
        subject: 'd1',
        name: 'Main "upper", deck',
        location: 'K',
        details: { rows: [{ after: { name: 'a\nb' } }] },
        change: null,
      },
    ],
    {
      headers,
      describe: () => 'Deck was changed',
      formatName: ({ name }) => name ?? '',
      formatInstant: () => '09:00',
      formatLocation: () => 'Kestrel',
    },
  );
  expect(Papa.parse(csv.slice(1).trimEnd()).data).toEqual([
    [...headers],
    [
      '2026-11-20T08:00:00.000Z',
      '09:00',
      "'=cmd|calc",
      'tour.deckChanged',
      'Deck was changed',
      'Main "upper", deck',
      'd1',
      'Kestrel',
      '{"rows":[{"after":{"name":"a\\nb"}}]}',
    ],
  ]);
});
