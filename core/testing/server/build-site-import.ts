import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { getCheck, invalidRequest, type CallAuthor, type ImportedFile, type SiteImport } from '#core/server';

export interface SiteImportOptions {
  readonly folder: string;
  readonly site: string;
  readonly author: CallAuthor;
  /** File contents by name. Contents other than texts and bytes are written as JSON. */
  readonly files: Readonly<Record<string, unknown>>;
  readonly dryRun?: boolean;
}

/**
 * Writes the files of one content of an export into a folder, and imports them. `notes` are the sentences of the
 * import.
 */
export async function buildSiteImport({
  folder,
  site,
  author,
  files: inputFiles,
  dryRun = false,
}: SiteImportOptions): Promise<SiteImport & { readonly notes: readonly string[] }> {
  const files: ImportedFile[] = [];
  for (const [name, value] of Object.entries(inputFiles)) {
    const isContent = typeof value === 'string' || value instanceof Uint8Array;
    const content = Buffer.from(isContent ? value : JSON.stringify(value));
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    files.push({ name, path: file, bytes: content.length, sha256 });
  }
  const notes: string[] = [];
  const requireFile = (name: string): ImportedFile => {
    const file = files.find((candidate) => candidate.name === name);
    if (!file) throw invalidRequest(`The file ${name} of the export is missing.`);
    return file;
  };
  return {
    site,
    author,
    dryRun,
    files,
    notes,
    signal: new AbortController().signal,
    requireFile,
    read: async (name, schema) => {
      const value: unknown = JSON.parse(await readFile(requireFile(name).path, 'utf8'));
      if (getCheck(schema, 'body')(value) !== true) throw invalidRequest(`${name} does not match its schema.`);
      return value as never;
    },
    note: (sentence) => void notes.push(sentence),
    advance: () => Promise.resolve(),
  };
}
