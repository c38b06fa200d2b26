import { accessPart } from './access/access-part.ts';
import { authPart } from './auth/auth-part.ts';
import { configurationPart } from './configuration/configuration-part.ts';
import { eventsPart } from './events/events-part.ts';
import { filesPart } from './files/files-part.ts';
import { jobsPart } from './jobs/jobs-part.ts';
import type { CorePart } from './kernel/core-part.ts';

/**
 * Core's parts in the order in which they are migrated, mounted and started, and in reverse stopped: what a part asks
 * of another by `context` comes before it, and jobs, which use all others, come last.
 */
export const coreParts: readonly CorePart[] = [
  accessPart,
  authPart,
  configurationPart,
  eventsPart,
  filesPart,
  jobsPart,
];
