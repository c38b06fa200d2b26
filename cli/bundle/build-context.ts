import path from 'node:path';
import type { ResolvedProfile } from '../profile/resolved-profile.ts';
import { coreEntryPoints, type Frame } from './frame.ts';
import { OwnSources } from './own-sources.ts';
import { StepCache } from './step-cache.ts';

/** What all steps of a build share. */
export interface BuildContext {
  /** Absolute path of the project. */
  readonly root: string;
  readonly resolved: ResolvedProfile;
  readonly frame: Frame;
  readonly sources: OwnSources;
  readonly cache: StepCache;
  /** Absolute folder of the generated entries. */
  readonly generated: string;
}

export function buildContext(
  root: string,
  resolved: ResolvedProfile,
  frame: Frame = coreEntryPoints(root),
  generated: string = path.join(root, '.generated', resolved.name),
): BuildContext {
  return { root, resolved, frame, sources: new OwnSources(root, resolved), cache: new StepCache(root), generated };
}
