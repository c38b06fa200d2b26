import type { TransferredSite } from './site-contents.ts';

/** One line per content and per note. */
const formatContents = ({ contents }: TransferredSite): string =>
  contents
    .flatMap(({ content, counts, notes }) => [
      `${content}: ${Object.entries(counts)
        .map(([name, count]) => `${count} ${name}`)
        .join(', ')}`,
      ...notes.map(({ en }) => `  ${en}`),
    ])
    .join('\n');

/** The number of rows that an import has added or changed, or would in a dry run. */
export const countChangedRows = ({ contents }: TransferredSite): number =>
  contents.reduce((sum, { counts }) => sum + (counts['added'] ?? 0) + (counts['changed'] ?? 0), 0);

/** Formats the result of an export of a site for a terminal. */
export const formatExport = (summary: TransferredSite, folder: string): string =>
  `${formatContents(summary)}\nWrote ${summary.files} files to ${folder}.`;

/** Formats the result of an import of a site for a terminal. */
export const formatImport = (summary: TransferredSite, dryRun = false): string =>
  `${formatContents(summary)}\nSite ${summary.site}: ${countChangedRows(summary)} rows ` +
  (dryRun ? 'would be added or changed. Nothing was written.' : 'added or changed.');
