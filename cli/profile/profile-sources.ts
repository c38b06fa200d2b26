import path from 'node:path';
import { nonFileBrandSettings } from './profile-chain.ts';
import type { ResolvedProfile } from './resolved-profile.ts';

/** Absolute paths of the profile's file, of the files that it extends and of the files of its brand. */
function listSourceFiles({ file, files, profile }: Pick<ResolvedProfile, 'file' | 'files' | 'profile'>): string[] {
  const brandFiles = Object.entries(profile.branding)
    .filter(([name]) => !nonFileBrandSettings.includes(name))
    .flatMap(([, value]) => value);
  return [...files.map((source) => source.file), ...brandFiles.map((name) => path.resolve(path.dirname(file), name))];
}

/** The files of a profile that are outside of the project. */
export function listOutsideFiles(
  root: string,
  resolvedProfile: Pick<ResolvedProfile, 'file' | 'files' | 'profile'>,
): readonly string[] {
  return listSourceFiles(resolvedProfile).filter((file) => path.relative(root, file).startsWith('..'));
}
