import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BuildContext } from './build-context.ts';
import { createAppEntry, createPrerenderEntry, createServerEntry, createSignInEntry } from './entry-texts.ts';

/** The generated entries of one profile, as absolute paths. */
export interface Entries {
  readonly app: string;
  readonly signIn: string;
  readonly prerender: string;
  readonly server: string;
}

/**
 * Writes the entries, by default to `.generated/<profile>/`. They import the halves of enabled plugins and the bridges
 * between them, and nothing else.
 */
export async function writeEntries(context: BuildContext): Promise<Entries> {
  await mkdir(context.entriesFolder, { recursive: true });
  const write = async (name: string, text: string) => {
    const file = path.join(context.entriesFolder, name);
    // Unchanged files are not written, so that watchers are not triggered.
    if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) await writeFile(file, text);
    return file;
  };
  const [app, signIn, prerender, server] = await Promise.all([
    write('app.entry.ts', createAppEntry(context)),
    write('sign-in.entry.ts', createSignInEntry(context)),
    write('prerender.entry.ts', createPrerenderEntry(context)),
    write('server.entry.ts', createServerEntry(context)),
  ]);
  return { app, signIn, prerender, server };
}
