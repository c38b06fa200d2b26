import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** Folders and files whose content decides what a build holds. */
const decisive = ['cli', 'core', 'plugins', 'profiles', 'package.json', 'package-lock.json'];
/** What lies among them and is in no product. */
const indifferent = /(?:^|\/)(?:node_modules|templates|rendered)\/|\.test\.tsx?$|\.md$/;

/**
 * A hash over everything that a build is made from: two builds with the same digest and profile hold the same bytes.
 * Takes a few tens of milliseconds.
 */
export async function sourceDigest(root: string): Promise<string> {
  const lists = await Promise.all(decisive.map((name) => filesUnder(root, name)));
  const files = lists
    .flat()
    .filter((file) => !indifferent.test(file))
    .sort();
  const hash = createHash('sha256');
  for (const file of files)
    hash.update(
      `${file}\0${createHash('sha256')
        .update(readFileSync(path.join(root, file)))
        .digest('hex')}\n`,
    );
  return hash.digest('hex');
}

async function filesUnder(root: string, name: string): Promise<readonly string[]> {
  if (name.endsWith('.json')) return [name];
  const entries = await readdir(path.join(root, name), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
}
