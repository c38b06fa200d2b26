import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { testTimeoutMs } from './max-wait.ts';
import { sampleDataFolder } from './sample-data-folder.mjs';

const folder = sampleDataFolder(fileURLToPath(new URL('../../', import.meta.url)));

/** Path of a file or folder of the sample data, by its name in docs/reference/sample-data.md. It may be missing. */
export function samplePath(name: string): string {
  return path.join(folder, ...name.split('/'));
}

/** Returns the reason to skip tests that need these files or folders. Undefined if all exist. */
export function findSkipReason(...names: readonly string[]): string | undefined {
  if (!existsSync(folder)) return `no sample data in ${folder}: set WALKDOWN_SAMPLE_DATA`;
  const missingName = names.find((name) => !existsSync(samplePath(name)));
  return missingName === undefined ? undefined : `no ${missingName} in the sample data`;
}

type Paths<Names extends readonly string[]> = { readonly [Index in keyof Names]: string };

/**
 * Registers a test with the paths of these files or folders; skipped, with the reason in its title, if one is missing.
 */
export function itWithSampleData<const Names extends readonly string[]>(
  title: string,
  names: Names,
  test: (paths: Paths<Names>) => Promise<void> | void,
): void {
  const skipReason = findSkipReason(...names);
  const paths = names.map(samplePath) as unknown as Paths<Names>;
  // A folder may contain many files, each of which takes time.
  if (skipReason === undefined) it(title, () => test(paths), 4 * testTimeoutMs);
  else it.skip(`${title} (not run: ${skipReason})`, () => test(paths));
}

/** Like {@link itWithSampleData}, for a suite. */
export function describeWithSampleData<const Names extends readonly string[]>(
  title: string,
  names: Names,
  suite: (paths: Paths<Names>) => void,
): void {
  const skipReason = findSkipReason(...names);
  const paths = names.map(samplePath) as unknown as Paths<Names>;
  if (skipReason === undefined) describe(title, () => suite(paths));
  else describe.skip(`${title} (not run: ${skipReason})`, () => suite(paths));
}
