import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { Check } from 'typebox/value';
import { lengthUnits, type LengthUnit } from '#core';
import { coreRefusal } from '#core/api';
import {
  invalidRequest,
  notFound,
  removeOnFailure,
  type Caller,
  type ReceivedUpload,
  type ServerContext,
} from '#core/server';
import { ModelPose } from '../../contract/api.ts';
import { modelRefusal } from '../../contract/errors.ts';
import { importModelJob, type ImportModelPayload } from '../jobs/import-model.ts';
import type { ModelTables } from '../tables.ts';

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

export const identityPose: ModelPose = { position: [0, 0, 0], heading: 0, scale: 1 };

/**
 * Stores an uploaded model and starts its import. Creates a row unless the upload replaces a model. The replaced model
 * and its placement stay visible until the import has succeeded.
 */
export async function receiveModel(
  context: ServerContext<ModelTables>,
  caller: Caller,
  location: string,
  { files: [file], fields }: ReceivedUpload,
): Promise<{ readonly model: string; readonly job: string }> {
  if (!file) throw invalidRequest(coreRefusal('core.refused.noFile'));
  const existingUid = fields['model'];
  const pose = parsePose(fields['pose']);
  const unit = parseUnit(fields['unit']);
  if (existingUid !== undefined) await assertModelAt(context.tables, existingUid, location);
  const source = await context.files.put(
    { name: file.name, mediaType: file.mediaType, audience: { kind: 'location', location } },
    file.stream(),
  );
  const model = existingUid ?? randomUUID();
  const job = await removeOnFailure(context.files, [source.id], () =>
    context.tables.transaction().execute(async (transaction) => {
      if (existingUid === undefined) {
        const name = (fields['name'] ?? '').trim() || file.name.replace(/\.[^.]+$/, '');
        await insertModel(transaction, {
          uid: model,
          location,
          name: name.slice(0, 120),
          pose: pose ?? identityPose,
        });
      } else await assertModelAt(transaction, existingUid, location);
      const jobId = await context.jobs.start<ImportModelPayload>(
        importModelJob,
        {
          model,
          source: source.id,
          ...(existingUid !== undefined && pose ? { pose } : {}),
          ...(unit === undefined ? {} : { unit }),
        },
        caller.uid,
        transaction,
      );
      await transaction
        .updateTable('model')
        .set({ state: 'IMPORTING', message: null, refusal: null, job: jobId })
        .where('uid', '=', model)
        .execute();
      return jobId;
    }),
  );
  await context.jobs.notifyRunners();
  return { model, job };
}

/** @throws 404 if there is no such model at exactly this location */
async function assertModelAt(tables: Kysely<ModelTables>, model: string, location: string): Promise<void> {
  const row = await tables.selectFrom('model').select('location').where('uid', '=', model).executeTakeFirst();
  if (row?.location !== location) throw notFound('This model');
}

interface NewModel {
  readonly uid: string;
  readonly location: string;
  readonly name: string;
  readonly pose: ModelPose;
}

async function insertModel(tables: Kysely<ModelTables>, { uid, location, name, pose }: NewModel): Promise<void> {
  await tables
    .insertInto('model')
    .values({
      uid,
      location,
      name,
      version: 0,
      state: 'IMPORTING',
      message: null,
      refusal: null,
      file: null,
      tiles: 0,
      bytes: 0,
      objects: 0,
      bounds: null,
      pose: JSON.stringify(pose),
      report: null,
      job: null,
      updated_at: new Date(),
    })
    .execute();
}

function parseUnit(text = 'FILE'): LengthUnit | undefined {
  if (text === 'FILE') return undefined;
  const unit = lengthUnits.find((lengthUnit) => lengthUnit === text);
  if (unit !== undefined) return unit;
  throw invalidRequest(modelRefusal('model-3d.refused.unit'), [
    { pointer: '/unit', message: 'core.validation.choice' },
  ]);
}

function parsePose(text: string | undefined): ModelPose | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  let pose: unknown;
  try {
    pose = { heading: 0, scale: 1, ...(JSON.parse(text) as object | null) };
  } catch {
    pose = undefined;
  }
  if (!Check(ModelPose, pose))
    throw invalidRequest(modelRefusal('model-3d.refused.pose'), [
      { pointer: '/pose', message: 'core.validation.format' },
    ]);
  return pose;
}
