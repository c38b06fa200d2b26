import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The default output folder of a build. */
export function getDefaultOut(root: string, profile: string): string {
  return path.join(root, 'dist', profile);
}

/** The content of `build.json`, which is equal for two builds of the same sources. */
export interface BuildRecord {
  readonly profile: string;
  readonly version: string;
  /** Digest of the sources. `walkdown start` rebuilds the product if it differs. */
  readonly sources: string;
  /** Entry scripts, relative to `web/`. */
  readonly entries: { readonly app: string; readonly signIn: string };
}

/** The `build.json` of the product in `out`; undefined if there is none. */
export async function readBuildRecord(out: string): Promise<BuildRecord | undefined> {
  const text = await readFile(path.join(out, 'build.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as BuildRecord);
}
