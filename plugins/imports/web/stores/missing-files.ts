import type { ImportFileKind, ImportKindInfo } from '../../contract/index.ts';

const endings: Readonly<Record<Exclude<ImportFileKind, 'FILE'>, readonly string[]>> = {
  EXCEL: ['.xlsx', '.csv', '.json'],
  IMAGE: ['.jpg', '.jpeg', '.png', '.webp'],
  VIDEO: ['.mp4', '.webm'],
};

const hasEnding = (name: string, kind: ImportFileKind): boolean =>
  kind === 'FILE' || endings[kind].some((ending) => name.toLowerCase().endsWith(ending));

/** Accepted endings of the files of a kind, for a file dialog. Empty if all are accepted. */
export function listEndings({ files }: Pick<ImportKindInfo, 'files'>): readonly string[] {
  const kinds = new Set(files.map(({ kind }) => kind));
  return [...kinds].flatMap((kind) => (kind === 'FILE' ? ['.zip'] : endings[kind]));
}

/** Required files of a kind that are not among the chosen ones, by the endings of their names. */
export function findMissingFiles(
  { files }: Pick<ImportKindInfo, 'files'>,
  chosenFiles: readonly { readonly name: string }[],
): ImportKindInfo['files'] {
  const left = [...chosenFiles];
  return files.filter(({ kind, required }) => {
    const index = left.findIndex(({ name }) => hasEnding(name, kind));
    if (index !== -1) left.splice(index, 1);
    return required && index === -1;
  });
}
