import { SiteContents, type TransferNote, type TransferredContent } from '#core/server';
import type { TransferredPart } from '../../contract/api.ts';
import type { ImportContext } from '../import-context.ts';

/**
 * Creates a function that adds the titles of contents and the names of their counts. Contents of plugins that the
 * product lacks are named by their key.
 */
export function createPartsConverter({
  service,
  kinds,
}: Pick<ImportContext, 'service' | 'kinds'>): (contents: readonly TransferredContent[]) => TransferredPart[] {
  const contentByKey = new Map(
    service(SiteContents)
      .list()
      .map((content) => [content.key, content]),
  );
  /** Counts of workbooks have the id of a kind and the name of a sheet as keys. */
  const toCountName = (name: string, french: string | undefined): TransferredPart['title'] | undefined => {
    const kind = kinds.all().find(({ id }) => name.startsWith(`${id} `));
    if (!kind) return french === undefined ? undefined : { en: name, fr: french };
    const sheet = name.slice(kind.id.length + 1);
    return { en: `${kind.title.en} (${sheet})`, fr: `${kind.title.fr} (${sheet})` };
  };
  return (contents) =>
    contents.map(({ content, counts, notes }) => {
      const { title, frenchCountLabels } = contentByKey.get(content) ?? { title: { en: content, fr: content } };
      return {
        title: { ...title },
        counts: { ...counts },
        countNames: Object.fromEntries(
          Object.keys(counts).flatMap((name) => {
            const countName = toCountName(name, frenchCountLabels?.[name]);
            return countName ? [[name, countName]] : [];
          }),
        ),
        notes: notes.map(toNote),
      };
    });
}

/** Exports of earlier versions stored their notes in English alone. */
const toNote = (note: TransferNote | string): TransferNote =>
  typeof note === 'string' ? { en: note, fr: note } : note;
