import { accessPart } from './access/access-part.ts';
import { authPart } from './auth/auth-part.ts';
import type { CorePart } from './kernel/core-part.ts';

/** Core's parts in the order in which they are migrated and mounted: what a part asks of another by `context` comes before it. */
export const coreParts: readonly CorePart[] = [accessPart, authPart];
