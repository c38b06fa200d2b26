import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Where a build goes unless it is told otherwise. */
export function defaultOut(root: string, profile: string): string {
  return path.join(root, 'dist', profile);
}

/** What `build.json` keeps of a build: nothing that differs between two builds of the same sources. */
export interface BuildRecord {
  readonly profile: string;
  readonly version: string;
  /** Of the sources that it was made from: `walkdown start` builds anew where it differs. */
  readonly sources: string;
  /** Entry scripts, relative to `web/`. */
  readonly entries: { readonly app: string; readonly signIn: string };
}

/** What `build.json` says of the product in `out`; undefined where there is none. */
export async function readBuildRecord(out: string): Promise<BuildRecord | undefined> {
  const text = await readFile(path.join(out, 'build.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as BuildRecord);
}
