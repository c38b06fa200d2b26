import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import { atLocation, notFound, type Caller, type ServerContext } from '#core/server';
import type { ManagedModel } from '../../contract/api.ts';
import type { Model, ModelPose } from '../../contract/index.ts';
import type { OnSurfacesChanged } from '../jobs/import-model.ts';
import type { ModelTables } from '../tables.ts';

export type ModelContext = Pick<ServerContext<ModelTables>, 'tables' | 'locations' | 'files'>;
type Row = Selectable<ModelTables['model']>;

function toModel(row: Row, { files }: ModelContext): Model {
  const { updated_at, file, bytes, bounds, pose, report, job: _, ...unchangedFields } = row;
  return {
    ...unchangedFields,
    bytes: Number(bytes),
    bounds,
    pose,
    report,
    address: file && (row.tiles > 0 ? files.url(file, 'tileset.json') : files.url(file)),
    updatedAt: updated_at.toISOString(),
  };
}

/**
 * Selects the models of the location and of the locations above and below it that the caller can access. A model of a
 * platform is thus also shown in its units, and models of decks are shown in the platform.
 */
const selectModels = async (context: ModelContext, caller: Caller, location: string): Promise<readonly Row[]> =>
  context.tables
    .selectFrom('model')
    .selectAll()
    .where(atLocation('location', await context.locations.accessibleRelated(caller, location)))
    .orderBy('name')
    .orderBy('uid')
    .execute();

export async function modelsAt(context: ModelContext, caller: Caller, location: string): Promise<Model[]> {
  return (await selectModels(context, caller, location)).map((row) => toModel(row, context));
}

/**
 * Lists the models of `modelsAt` for admins, and adds the running import of each. A model whose first import stopped is
 * FAILED.
 */
export async function managedModelsAt(
  context: ModelContext & Pick<ServerContext, 'jobs'>,
  caller: Caller,
  location: string,
): Promise<ManagedModel[]> {
  const rows = await selectModels(context, caller, location);
  const jobs = await context.jobs.findAll(
    rows.flatMap(({ state, job }) => (state === 'IMPORTING' && job !== null ? job : [])),
  );
  return rows.map((row): ManagedModel => {
    const model = { ...toModel(row, context), job: null };
    if (row.state !== 'IMPORTING') return model;
    const job = row.job === null ? undefined : jobs.get(row.job);
    if (job?.status === 'INPROGRESS') return { ...model, job: { id: job.id, done: job.done, total: job.total } };
    return {
      ...model,
      state: row.version === 0 ? 'FAILED' : 'READY',
      ...(row.message === null ? { message: job?.message ?? null, refusal: job?.refusal ?? null } : {}),
    };
  });
}

/**
 * Returns a model at a location that the caller can access.
 *
 * @throws 404 if there is none with this uid
 */
export async function getModel(context: ModelContext, caller: Caller, uid: string): Promise<Model> {
  const row = await context.tables.selectFrom('model').selectAll().where('uid', '=', uid).executeTakeFirst();
  if (!row || !(await context.locations.canAccess(caller, row.location))) throw notFound('This model');
  return toModel(row, context);
}

/**
 * Updates the name and the placement of a model.
 *
 * @throws 404 if the caller cannot access the model
 */
export async function updatePlacement(
  context: ModelContext,
  caller: Caller,
  uid: string,
  { name, pose }: { readonly name: string; readonly pose: ModelPose },
  onMoved: OnSurfacesChanged,
): Promise<Model> {
  const { location } = await getModel(context, caller, uid);
  await context.tables.transaction().execute(async (transaction) => {
    const formerModel = await transaction
      .selectFrom('model')
      .select('pose')
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirst();
    const updatedRow = await transaction
      .updateTable('model')
      .set({ name: name.trim(), pose: JSON.stringify(pose), updated_at: new Date() })
      .where('uid', '=', uid)
      .returning('pose')
      .executeTakeFirst();
    if (updatedRow && !isDeepStrictEqual(updatedRow.pose, formerModel?.pose)) await onMoved(location, transaction);
  });
  return getModel(context, caller, uid);
}

/**
 * Deletes a model with its objects, mappings and file.
 *
 * @throws 404 if the caller cannot access the model
 */
export async function deleteModel(
  context: ModelContext,
  caller: Caller,
  uid: string,
  onDeleted: OnSurfacesChanged,
): Promise<void> {
  const { location } = await getModel(context, caller, uid);
  const deletedRow = await context.tables.transaction().execute(async (transaction) => {
    const row = await transaction.deleteFrom('model').where('uid', '=', uid).returning('file').executeTakeFirst();
    if (row) await onDeleted(location, transaction);
    return row;
  });
  if (deletedRow?.file) await context.files.remove(deletedRow.file);
}
