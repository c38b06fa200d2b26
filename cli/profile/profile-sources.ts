import path from 'node:path';
import { brandTexts } from './profile-chain.ts';
import type { ResolvedProfile } from './resolved-profile.ts';

/** The files of a profile: itself, those that it extends, and those of its brand. Absolute paths. */
function profileSources({ file, files, profile }: Pick<ResolvedProfile, 'file' | 'files' | 'profile'>): string[] {
  const named = Object.entries(profile.branding)
    .filter(([name]) => !brandTexts.includes(name))
    .flatMap(([, value]) => value);
  return [...files.map((each) => each.file), ...named.map((name) => path.resolve(path.dirname(file), name))];
}

/** Those of them outside of the project. */
export function filesOutside(
  root: string,
  resolved: Pick<ResolvedProfile, 'file' | 'files' | 'profile'>,
): readonly string[] {
  return profileSources(resolved).filter((file) => path.relative(root, file).startsWith('..'));
}
