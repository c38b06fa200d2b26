import { token } from '#core';
import type { ImportKind } from './kinds.ts';

/** Takes the kinds of imports of other plugins, from `server/bridges/imports.ts`. */
export const ImportKinds = token<ImportKinds>('imports.ImportKinds');
export interface ImportKinds {
  /** Call it while the bridge is mounted, once per kind. */
  register<Tables>(kind: ImportKind<Tables>): void;
}
