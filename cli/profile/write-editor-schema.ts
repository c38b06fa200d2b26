import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createEditorSchema } from './profile-schema.ts';
import type { KnownPlugin } from './resolved-profile.ts';

/** The text of the editor schema. The committed file must be equal to it. */
export function formatEditorSchema(plugins: ReadonlyMap<string, KnownPlugin>): string {
  return `${JSON.stringify(createEditorSchema(plugins), null, 2)}\n`;
}

/** Writes `profiles/profile.schema.json` and returns its path relative to the project. */
export async function writeEditorSchema(root: string, plugins: ReadonlyMap<string, KnownPlugin>): Promise<string> {
  const file = path.join('profiles', 'profile.schema.json');
  await writeFile(path.join(root, file), formatEditorSchema(plugins));
  return file;
}
