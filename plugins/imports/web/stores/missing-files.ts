import type { ImportFileKind, ImportKindInfo } from '../../contract/index.ts';

/** By kind of file. `EXCEL` is the specification's name for any file of rows. */
const extensions: Readonly<Record<Exclude<ImportFileKind, 'FILE'>, readonly string[]>> = {
  EXCEL: ['.xlsx', '.csv', '.json'],
  IMAGE: ['.jpg', '.jpeg', '.png', '.webp'],
  VIDEO: ['.mp4', '.webm'],
};

const hasExtension = (name: string, fileKind: ImportFileKind): boolean =>
  fileKind === 'FILE' || extensions[fileKind].some((extension) => name.toLowerCase().endsWith(extension));

/**
 * Lists the extensions of the files of an import kind, for a file dialog. It proposes archives for `FILE`, which
 * accepts any name.
 */
export function listExtensions({ files }: Pick<ImportKindInfo, 'files'>): readonly string[] {
  const fileKinds = new Set(files.map(({ kind }) => kind));
  return [...fileKinds].flatMap((fileKind) => (fileKind === 'FILE' ? ['.zip'] : extensions[fileKind]));
}

/** Finds the required files of an import kind for which no file with a suitable extension is chosen. */
export function findMissingFiles(
  { files }: Pick<ImportKindInfo, 'files'>,
  chosenFiles: readonly { readonly name: string }[],
): ImportKindInfo['files'] {
  // Each chosen file counts once.
  const unmatchedFiles = [...chosenFiles];
  return files.filter(({ kind, required }) => {
    const index = unmatchedFiles.findIndex(({ name }) => hasExtension(name, kind));
    if (index !== -1) unmatchedFiles.splice(index, 1);
    return required && index === -1;
  });
}
