import path from 'node:path';
import { getDefaultOut } from './product-folder.ts';

export interface BuiltProduct {
  /** Absolute path of the project. */
  readonly root: string;
  /** The user's current folder. */
  readonly currentFolder: string;
  readonly out: string;
  readonly name: string;
  /** The profile as the user typed it. */
  readonly profile: string;
  /** Path of the archive, if one was packed. */
  readonly archive?: string;
}

/**
 * The command to type after a build. Outside of the project `npx walkdown` would fetch an unrelated package from the
 * registry.
 */
export function describeNextStep({ root, currentFolder, out, name, profile, archive }: BuiltProduct): string {
  if (archive !== undefined)
    return [
      `Next: copy ${quote(formatPath(currentFolder, archive))} to its machine, and there:`,
      `  tar -xzf ${quote(path.basename(archive))}`,
      `  WALKDOWN_FIRST_ADMIN=<your mail address> node ${quote(`${path.basename(out)}/server/server.mjs`)}`,
    ].join('\n');
  const program = isWithin(root, currentFolder)
    ? 'npx walkdown'
    : `node ${quote(path.join(root, 'cli', 'walkdown.mjs'))}`;
  const productOption =
    out === getDefaultOut(root, name)
      ? `--profile ${quote(profile)}`
      : `--out ${quote(formatPath(currentFolder, out))}`;
  return `Next: ${program} serve ${productOption} --first-admin <your mail address>`;
}

function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** The path of a file, relative to the current folder if the file is in it, otherwise absolute. */
const formatPath = (currentFolder: string, file: string): string =>
  (isWithin(currentFolder, file) ? path.relative(currentFolder, file) : file).split(path.sep).join('/');

/** Quotes a word for a shell if necessary. */
const quote = (word: string): string =>
  /^[\p{L}\p{N}_./:\\-]+$/u.test(word) ? word : `"${word.replaceAll(/[$`"]/g, '\\$&')}"`;
