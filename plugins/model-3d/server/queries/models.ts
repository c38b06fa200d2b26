import type { Selectable } from 'kysely';
import { locationPath, type LocationRow } from '#core';
import { notFound, type Caller, type ServerContext } from '#core/server';
import type { ManagedModel } from '../../contract/api.ts';
import type { Model, ModelMapping } from '../../contract/index.ts';
import { tablesOf, type ModelTables } from '../tables.ts';

export type ModelContext = Pick<ServerContext, 'database' | 'locations' | 'files'>;
type Row = Selectable<ModelTables['model']>;

function toModel(row: Row, { files }: ModelContext): Model {
  const { updated_at, file, bytes, bounds, pose, report, job: _, ...rest } = row;
  return {
    ...rest,
    bytes: Number(bytes),
    bounds,
    pose,
    report,
    address: file === null ? null : row.tiles > 0 ? files.address(file, 'tileset.json') : files.address(file),
    updatedAt: updated_at.toISOString(),
  };
}

/**
 * Rows at the location, above it and below it that the caller reaches: a model of the whole platform shows in each
 * unit, those of the decks in the platform.
 */
export async function rowsAround(context: ModelContext, caller: Caller, location: string): Promise<readonly Row[]> {
  const all = new Map((await context.locations.all()).map((row): readonly [string, LocationRow] => [row.uid, row]));
  const above = new Set(locationPath(all, location).map((row) => row.uid));
  const rows = await tablesOf(context).selectFrom('model').selectAll().orderBy('name').orderBy('id').execute();
  const near = rows.filter(
    (row) => above.has(row.location) || locationPath(all, row.location).some((step) => step.uid === location),
  );
  const reached = await Promise.all(near.map((row) => context.locations.canAccess(caller, row.location)));
  return near.filter((_, index) => reached[index]);
}

export async function modelsAt(context: ModelContext, caller: Caller, location: string): Promise<Model[]> {
  return (await rowsAround(context, caller, location)).map((row) => toModel(row, context));
}

/**
 * For admins: the models that `modelsAt` gives, each with the import that is under way. One whose import broke off
 * without a word is FAILED.
 */
export async function managedModelsAt(
  context: ModelContext & Pick<ServerContext, 'jobs'>,
  caller: Caller,
  location: string,
): Promise<ManagedModel[]> {
  return Promise.all(
    (await rowsAround(context, caller, location)).map(async (row) => {
      const job = row.state !== 'IMPORTING' || row.job === null ? undefined : await context.jobs.find(row.job);
      if (job?.status === 'INPROGRESS')
        return { ...toModel(row, context), job: { id: job.id, done: job.done, total: job.total } };
      const model = { ...toModel(row, context), job: null };
      return row.state === 'IMPORTING'
        ? {
            ...model,
            state: row.version === 0 ? 'FAILED' : 'READY',
            ...(row.message === null ? { message: job?.message ?? null, refusal: job?.refusal ?? null } : {}),
          }
        : model;
    }),
  );
}

export async function mappingsAt(context: ModelContext, caller: Caller, location: string): Promise<ModelMapping[]> {
  const ids = (await rowsAround(context, caller, location)).map((row) => row.id);
  if (ids.length === 0) return [];
  return tablesOf(context)
    .selectFrom('mapping')
    .selectAll()
    .where('model', 'in', ids)
    .orderBy('model')
    .orderBy('object')
    .orderBy('kind')
    .execute();
}

/** One model that the caller reaches. Throws 404. */
export async function modelOf(context: ModelContext, caller: Caller, id: string): Promise<Model> {
  const row = await tablesOf(context).selectFrom('model').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row || !(await context.locations.canAccess(caller, row.location))) throw notFound('This model');
  return toModel(row, context);
}
