import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { editorSchema } from './profile-schema.ts';
import type { KnownPlugin } from './resolved-profile.ts';

/** The schema file's text; a test requires the committed file to equal it. */
export function editorSchemaText(plugins: ReadonlyMap<string, KnownPlugin>): string {
  return `${JSON.stringify(editorSchema(plugins), null, 2)}\n`;
}

/** Writes `profiles/profile.schema.json` and returns its path relative to the project. */
export async function writeEditorSchema(root: string, plugins: ReadonlyMap<string, KnownPlugin>): Promise<string> {
  const file = path.join('profiles', 'profile.schema.json');
  await writeFile(path.join(root, file), editorSchemaText(plugins));
  return file;
}
