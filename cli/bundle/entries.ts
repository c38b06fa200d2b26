import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BuildContext } from './build-context.ts';
import { appEntry, prerenderEntry, serverEntry, signInEntry } from './entry-texts.ts';

/** The generated entries of one profile, as absolute paths. */
export interface Entries {
  readonly app: string;
  readonly signIn: string;
  readonly prerender: string;
  readonly server: string;
}

/**
 * Writes the entries, by default into `.generated/<profile>/`: they import the halves of the plugins that are on, the
 * bridges whose two ends are on, and nothing else.
 */
export async function writeEntries(context: BuildContext): Promise<Entries> {
  await mkdir(context.generated, { recursive: true });
  const write = async (name: string, text: string) => {
    const file = path.join(context.generated, name);
    // Left alone where nothing changed, so that a watcher does not wake.
    if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) await writeFile(file, text);
    return file;
  };
  const [app, signIn, prerender, server] = await Promise.all([
    write('app.entry.ts', appEntry(context)),
    write('sign-in.entry.ts', signInEntry(context)),
    write('prerender.entry.ts', prerenderEntry(context)),
    write('server.entry.ts', serverEntry(context)),
  ]);
  return { app, signIn, prerender, server };
}
