import type { ImportFileKind, ImportKindInfo } from '../../contract/index.ts';

const extensions: Readonly<Record<Exclude<ImportFileKind, 'FILE'>, readonly string[]>> = {
  EXCEL: ['.xlsx', '.csv', '.json'],
  IMAGE: ['.jpg', '.jpeg', '.png', '.webp'],
  VIDEO: ['.mp4', '.webm'],
};

const hasExtension = (name: string, kind: ImportFileKind): boolean =>
  kind === 'FILE' || extensions[kind].some((extension) => name.toLowerCase().endsWith(extension));

/** Accepted extensions of the files of a kind, for a file dialog. */
export function listExtensions({ files }: Pick<ImportKindInfo, 'files'>): readonly string[] {
  const kinds = new Set(files.map(({ kind }) => kind));
  return [...kinds].flatMap((kind) => (kind === 'FILE' ? ['.zip'] : extensions[kind]));
}

/** Required files of a kind for which no file with a suitable extension is chosen. Each chosen file counts once. */
export function findMissingFiles(
  { files }: Pick<ImportKindInfo, 'files'>,
  chosenFiles: readonly { readonly name: string }[],
): ImportKindInfo['files'] {
  const unmatchedFiles = [...chosenFiles];
  return files.filter(({ kind, required }) => {
    const index = unmatchedFiles.findIndex(({ name }) => hasExtension(name, kind));
    if (index !== -1) unmatchedFiles.splice(index, 1);
    return required && index === -1;
  });
}
