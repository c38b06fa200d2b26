import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { ResolvedProfile } from '../profile/resolved-profile.ts';

/** Folders and files whose content decides what every build holds, beside the plugins that are on. */
const decisive = ['cli/bundle', 'cli/profile', 'core', 'package.json', 'package-lock.json'];
/** What lies among them and is in no product. */
const indifferent = /(?:^|\/)(?:node_modules|testing)\/|\.test\.tsx?$|\.md$/;

/**
 * A hash over everything that this product is made from, and nothing else: two builds with the same digest hold the
 * same bytes, and neither another customer's profile nor a plugin that is off changes it. Takes a few tens of
 * milliseconds.
 *
 * @param outside absolute paths of files elsewhere that count as well, in an order that is always the same
 */
export async function sourceDigest(
  root: string,
  resolved: ResolvedProfile,
  outside: readonly string[] = [],
): Promise<string> {
  const plugins = resolved.enabled.flatMap((id) => resolved.plugins.get(id)?.folder ?? []);
  const lists = await Promise.all([
    ...decisive.map((name) => filesUnder(root, name)),
    ...plugins.map((folder) => filesUnder(root, path.relative(root, folder))),
  ]);
  const files = lists
    .flat()
    .filter((file) => !indifferent.test(file))
    .sort();
  const hash = createHash('sha256');
  const { name, product, profile, enabled, settings, bridges } = resolved;
  // The product names its logo and pictures by their content.
  hash.update(`${JSON.stringify([name, product, profile.branding, enabled, settings, bridges])}\n`);
  for (const file of files)
    hash.update(
      `${file}\0${createHash('sha256')
        .update(readFileSync(path.join(root, file)))
        .digest('hex')}\n`,
    );
  // By their place in the list: where a customer's folder lies decides nothing.
  for (const [index, file] of outside.entries())
    hash.update(`outside ${index}\0${createHash('sha256').update(readFileSync(file)).digest('hex')}\n`);
  return hash.digest('hex');
}

async function filesUnder(root: string, name: string): Promise<readonly string[]> {
  if (name.endsWith('.json')) return [name];
  const entries = await readdir(path.join(root, name), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
}
