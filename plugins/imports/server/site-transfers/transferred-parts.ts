import { SiteContents, type TransferNote, type TransferredContent } from '#core/server';
import type { TransferredPart } from '../../contract/api.ts';
import type { ImportContext } from '../import-context.ts';

/** Names contents by their titles. Contents of plugins that the product lacks have only their key. */
export function createToParts(
  context: Pick<ImportContext, 'service'>,
): (contents: readonly TransferredContent[]) => TransferredPart[] {
  const titles = new Map(
    context
      .service(SiteContents)
      .list()
      .map(({ key, title }) => [key, title]),
  );
  return (contents) =>
    contents.map(({ content, counts, notes }) => ({
      title: { ...(titles.get(content) ?? { en: content, fr: content }) },
      counts: { ...counts },
      notes: notes.map(toNote),
    }));
}

/** Exports of earlier versions stored their notes in English alone. */
const toNote = (note: TransferNote | string): TransferNote =>
  typeof note === 'string' ? { en: note, fr: note } : note;
