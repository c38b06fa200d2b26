import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Brand, ResolvedProfile } from '../profile/resolved-profile.ts';

/** Folders and files whose content affects every build, besides the enabled plugins. */
const relevantPaths = ['cli/bundle', 'cli/profile', 'core', 'package.json', 'package-lock.json'];
/** Files in these folders that are in no product. */
const ignoredFiles = /(?:^|\/)(?:node_modules|testing)\/|\.test\.tsx?$|\.md$/;

/**
 * A hash of the code and settings of the product. Other profiles and disabled plugins do not change it. Takes some tens
 * of milliseconds.
 */
export async function computeCodeDigest(root: string, resolvedProfile: ResolvedProfile): Promise<string> {
  const plugins = resolvedProfile.enabled.flatMap((id) => resolvedProfile.plugins.get(id)?.folder ?? []);
  const lists = await Promise.all([
    ...relevantPaths.map((name) => listFiles(root, name)),
    ...plugins.map((folder) => listFiles(root, path.relative(root, folder))),
  ]);
  const files = lists
    .flat()
    .filter((file) => !ignoredFiles.test(file))
    .sort();
  const hash = createHash('sha256');
  const { name, product, enabled, settings, bridges } = resolvedProfile;
  hash.update(`${JSON.stringify([name, product, enabled, settings, bridges])}\n`);
  for (const file of files) hash.update(`${file}\0${computeSha256(readFileSync(path.join(root, file)))}\n`);
  return hash.digest('hex');
}

/** Adds the customer's brand to the code digest. Builds with the same digest have the same bytes. */
export function computeSourceDigest(
  codeDigest: string,
  { files, themeCss }: Pick<Brand, 'files' | 'themeCss'>,
): string {
  const names = [...files].map(([name, content]) => `${name}\0${computeSha256(content)}`).sort();
  return computeSha256([codeDigest, computeSha256(themeCss), ...names].join('\n'));
}

function computeSha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

async function listFiles(root: string, name: string): Promise<readonly string[]> {
  if (name.endsWith('.json')) return [name];
  const entries = await readdir(path.join(root, name), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
}
