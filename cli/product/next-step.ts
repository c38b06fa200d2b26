import path from 'node:path';
import { defaultOut } from './product-folder.ts';

export interface BuiltProduct {
  /** Of the project. */
  readonly root: string;
  /** The current folder of the person. */
  readonly from: string;
  readonly out: string;
  readonly name: string;
  /** As typed. */
  readonly profile: string;
  /** Path of the archive, if one was packed. */
  readonly archive?: string;
}

/**
 * The command to type after a build. Outside of the project `npx walkdown` would fetch an unrelated package from the
 * registry.
 */
export function nextStep({ root, from, out, name, profile, archive }: BuiltProduct): string {
  if (archive !== undefined)
    return [
      `Next: copy ${quoted(shownFrom(from, archive))} to its machine, and there:`,
      `  tar -xzf ${quoted(path.basename(archive))}`,
      `  WALKDOWN_FIRST_ADMIN=<your mail address> node ${quoted(`${path.basename(out)}/server/server.mjs`)}`,
    ].join('\n');
  const program = isWithin(root, from) ? 'npx walkdown' : `node ${quoted(path.join(root, 'cli', 'walkdown.mjs'))}`;
  const which =
    out === defaultOut(root, name) ? `--profile ${quoted(profile)}` : `--out ${quoted(shownFrom(from, out))}`;
  return `Next: ${program} serve ${which} --first-admin <your mail address>`;
}

function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** Relative to the current folder if it is below it, else absolute. */
const shownFrom = (from: string, file: string): string =>
  (isWithin(from, file) ? path.relative(from, file) : file).split(path.sep).join('/');

/** Quoted for a shell. */
const quoted = (word: string): string =>
  /^[\p{L}\p{N}_./:\\-]+$/u.test(word) ? word : `"${word.replaceAll(/[$`"]/g, '\\$&')}"`;
