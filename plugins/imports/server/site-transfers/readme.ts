import type { Manifest } from './manifest.ts';

const formatCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

/** Formats what an export contains in plain words, for people who open it without Walkdown. */
export function formatReadme({ site, exportedAt, contents, files }: Manifest): string {
  const lines = [
    `${site.name} (${site.code})`,
    '',
    `Exported from Walkdown on ${exportedAt}. ${files.length} files.`,
    '',
    'All files have open formats: workbooks (xlsx), pictures, JSON, CSV, PDF, and 3D files as they were uploaded.',
    'Lengths in JSON and CSV are metres in the frame of the site, angles are degrees clockwise from its north, times',
    'are UTC (ISO 8601). The frame, its coordinate reference system and the time zone are in site.json.',
    'manifest.json lists each file with its size and SHA-256. Files marked "derived" were computed from others. They',
    'are for other programs, and are not imported.',
    '',
    'To import: upload the ZIP file on the page "Export or import a site", or run',
    'walkdown import <this folder> --as <email address of an admin>. Changed files are refused. To import changed',
    'workbooks, upload them on the page Imports instead.',
    '',
    'Not included: accounts, passwords, roles and the audit log. Authors are names only.',
    '',
    ...contents.flatMap(({ id, folder, counts, notes }) => [
      `${folder}/  ${id}${Object.keys(counts).length > 0 ? `: ${formatCounts(counts)}` : ''}`,
      ...notes.map((note) => `  - ${note}`),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}
