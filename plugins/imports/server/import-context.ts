import type { SettingsOf } from '#core';
import { conflict, noAccess, notFound, type Caller, type ServerContext } from '#core/server';
import type { Selectable } from 'kysely';
import type { ImportPhase, ImportScope } from '#plugins/imports';
import { importsRefusal } from '../contract/errors.ts';
import type manifest from '../plugin.ts';
import type { AnyKind, KindRegistry } from './kinds/kind-registry.ts';
import type { StagedImport } from './queries/sheet-rows.ts';
import type { ImportsTables } from './tables.ts';

export type ImportContext = ServerContext<ImportsTables, SettingsOf<typeof manifest>> & {
  readonly kinds: KindRegistry;
};

/** Guard of uploaded and prepared workbooks. */
export const fileGuard = 'imports.file';

export type Batch = Selectable<ImportsTables['batch']>;

/** Who changes an import, in which request. */
export interface Author {
  readonly caller: Caller;
  readonly requestId: string;
}

/**
 * Finds an import that the caller may see.
 *
 * @throws `notFound` (404); `noAccess` (403) without access to its site or kind
 */
export async function getBatch(context: ImportContext, caller: Caller, uid: string): Promise<Batch> {
  const batch = await context.tables.selectFrom('batch').selectAll().where('uid', '=', uid).executeTakeFirst();
  if (!batch) throw notFound('This import');
  context.kinds.get(batch.kind, caller);
  if (batch.site !== null && !(await context.locations.canAccess(caller, batch.site))) throw noAccess();
  return batch;
}

/** @throws `conflict` (409) */
export function assertPhase(batch: Pick<Batch, 'phase'>, phases: readonly ImportPhase[]): void {
  if (!phases.includes(batch.phase)) throw conflict(importsRefusal('imports.refused.wrongPhase'));
}

/** Must not be called in a transaction. */
export async function readScope(
  { sites, locations }: Pick<ImportContext, 'sites' | 'locations'>,
  site: string | null,
  accessible: readonly string[],
): Promise<ImportScope> {
  if (site === null) return { site, locations: [], timeZone: 'UTC' };
  const own = new Set(await locations.descendants(site));
  return {
    site,
    locations: accessible.filter((uid) => own.has(uid)),
    timeZone: (await sites.recordAt(site)).timeZone,
  };
}

export async function toStagedImport(
  context: Pick<ImportContext, 'sites' | 'locations'>,
  batch: Pick<Batch, 'uid' | 'site' | 'mode' | 'locations'>,
  kind: AnyKind,
): Promise<StagedImport> {
  return {
    batch: batch.uid,
    kind,
    scope: await readScope(context, batch.site, batch.locations),
    mode: batch.mode,
  };
}
