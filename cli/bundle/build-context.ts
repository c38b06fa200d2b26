import path from 'node:path';
import type { ResolvedProfile } from '../profile/resolved-profile.ts';
import { coreEntryPoints, type CoreEntryPoints } from './core-entry-points.ts';
import { OwnSources } from './own-sources.ts';
import { StepCache } from './step-cache.ts';

/** The values that all steps of a build share. */
export interface BuildContext {
  /** Absolute path of the project. */
  readonly root: string;
  readonly resolvedProfile: ResolvedProfile;
  readonly core: CoreEntryPoints;
  readonly sources: OwnSources;
  readonly cache: StepCache;
  /** Absolute folder of the generated entries. */
  readonly entriesFolder: string;
}

export function createBuildContext(
  root: string,
  resolvedProfile: ResolvedProfile,
  core: CoreEntryPoints = coreEntryPoints(root),
  entriesFolder: string = path.join(root, '.generated', resolvedProfile.name),
): BuildContext {
  return {
    root,
    resolvedProfile,
    core,
    sources: new OwnSources(root, resolvedProfile),
    cache: new StepCache(root),
    entriesFolder,
  };
}
