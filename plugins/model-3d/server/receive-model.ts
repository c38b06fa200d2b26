import { randomBytes } from 'node:crypto';
import { coreRefusal } from '#core/api';
import { invalidRequest, notFound, type Caller, type ReceivedUpload, type ServerContext } from '#core/server';
import type { ModelPose } from '../contract/index.ts';
import { modelRefusal } from '../contract/refusals.ts';
import { importModelJob, type ImportModelPayload } from './jobs/import-model.ts';
import { tablesOf } from './tables.ts';

export const modelUploadRules = {
  accept: [
    'model/gltf-binary',
    'application/octet-stream',
    'application/json',
    'application/x-ifc',
    'text/plain',
    'application/zip',
  ],
  maximumBytes: 500 * 1024 * 1024,
} as const;

export const standingPose: ModelPose = { position: [0, 0, 0], heading: 0, scale: 1 };

/** Keeps an uploaded model, makes or finds its row and starts the import. */
export async function receiveModel(
  context: ServerContext,
  caller: Caller,
  location: string,
  { files: [file], fields }: ReceivedUpload,
): Promise<{ readonly model: string; readonly job: string }> {
  if (!file) throw invalidRequest(coreRefusal('core.refused.noFile'));
  const tables = tablesOf(context);
  const known = fields['model'];
  const pose = poseOf(fields['pose']);
  let model = known;
  if (model === undefined) {
    const name = (fields['name'] ?? '').trim() || file.name.replace(/\.[^.]+$/, '');
    model = randomBytes(9).toString('base64url');
    await tables
      .insertInto('model')
      .values({
        id: model,
        location,
        name: name.slice(0, 120),
        version: 0,
        state: 'IMPORTING',
        message: null,
        refusal: null,
        file: null,
        tiles: 0,
        bytes: 0,
        objects: 0,
        bounds: null,
        pose: JSON.stringify(pose ?? standingPose),
        report: null,
        job: null,
        updated_at: new Date(),
      })
      .execute();
  } else {
    const row = await tables.selectFrom('model').select('location').where('id', '=', model).executeTakeFirst();
    if (!row || row.location !== location) throw notFound('This model');
    await tables
      .updateTable('model')
      .set({ state: 'IMPORTING', message: null, refusal: null, ...(pose ? { pose: JSON.stringify(pose) } : {}) })
      .where('id', '=', model)
      .execute();
  }
  const source = await context.files.put(
    { name: file.name, mediaType: file.mediaType, audience: { kind: 'location', location } },
    file.stream(),
  );
  const job = await tables.transaction().execute(async (transaction) => {
    const started = await context.jobs.start<ImportModelPayload>(
      importModelJob,
      { model, source: source.id },
      caller.uid,
      transaction,
    );
    await transaction.updateTable('model').set({ job: started }).where('id', '=', model).execute();
    return started;
  });
  await context.jobs.look();
  return { model, job };
}

function poseOf(text: string | undefined): ModelPose | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const wrong = invalidRequest(modelRefusal('model-3d.refused.pose'), [
    { pointer: '/pose', message: 'core.validation.format' },
  ]);
  let pose: Partial<ModelPose>;
  try {
    pose = JSON.parse(text) as Partial<ModelPose>;
  } catch {
    throw wrong;
  }
  const { position, heading = 0, scale = 1 } = pose;
  const right =
    Array.isArray(position) &&
    position.length === 3 &&
    [...position, heading, scale].every((value) => typeof value === 'number' && Number.isFinite(value)) &&
    scale > 0;
  if (!right) throw wrong;
  return { position, heading, scale };
}
