import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { lengthUnitSymbols, pickLocalizedError, type LengthUnit } from '#core';
import {
  removeOnFailure,
  ServerError,
  writeTemporaryFiles,
  type FolderEntry,
  type JobOutcome,
  type JobRun,
  type ServerContext,
  type StoredFile,
} from '#core/server';
import type { ModelPose, ModelReport } from '../../contract/index.ts';
import { convertModel, tilesFolder, type Converted } from './convert-model.ts';
import { readObjects, replaceObjects } from './model-objects.ts';
import type { ModelTables } from '../tables.ts';

export const importModelJob = 'model-3d.import-model';
export interface ImportModelPayload {
  /** Uid. */
  readonly model: string;
  /** Id of the uploaded file, which is deleted when the job ends. */
  readonly source: string;
  /** Placement of the new version; absent to keep the previous one. */
  readonly pose?: ModelPose;
  /** Metres per unit of the file, if the person chose them. */
  readonly unit?: LengthUnit;
}

interface Cursor extends Converted {
  readonly file: string;
  readonly bytes: number;
  /** Set once the version is published: the file of the previous version, or null. */
  readonly replaced?: string | null;
}

type Context = Pick<ServerContext<ModelTables>, 'tables' | 'files'>;

/**
 * Converts an upload and publishes it as the model's next version. The complete GLB or tile folder is stored and
 * recorded in the cursor first; the previous version stays visible until then. Row and cursor change in one
 * transaction, so that a retry neither repeats that nor reverts a later version.
 */
export async function runImportModel(context: Context, run: JobRun<ImportModelPayload>): Promise<JobOutcome> {
  const { model, source } = run.payload;
  const { tables } = context;
  const row = await tables.selectFrom('model').select(['name', 'location']).where('uid', '=', model).executeTakeFirst();
  const kept = run.cursor as Cursor | undefined;
  if (!row) return removedMeanwhile(context, [source, kept?.file]);
  try {
    const made = kept ?? (await convertSource(context, row, run));
    const replaced = made.replaced === undefined ? await publishVersion(context, run, made) : made.replaced;
    if (replaced === undefined) return await removedMeanwhile(context, [source, made.file]);
    if (replaced !== null) await context.files.remove(replaced);
    await context.files.remove(source);
    return { result: isDoubtful(made.report) ? 'WARNING' : 'SUCCESS', message: formatMessage(made.report) };
  } catch (error) {
    if (!(error instanceof ServerError) || error.status === 503) throw error;
    if (error.status === 507)
      run.log.error(
        { folder: os.tmpdir() },
        'The folder of temporary files (TMPDIR) is full: a model was not imported.',
      );
    else run.log.info({ model, cause: error.cause }, 'A model was refused.');
    await tables
      .updateTable('model')
      .set({
        state: (present) =>
          present
            .case()
            .when('version', '=', 0)
            .then('FAILED' as const)
            .else('READY' as const)
            .end(),
        message: error.message,
        refusal: typeof error.userMessage === 'string' ? null : JSON.stringify(pickLocalizedError(error.userMessage)),
      })
      .where('uid', '=', model)
      .execute();
    await context.files.remove(source);
    return { result: 'FAILED', message: error.userMessage };
  }
}

/**
 * Another import of the same model may have ended meanwhile, or the model may have been deleted. Returns the file of
 * the previous version, null if there was none, undefined if the model is deleted.
 */
async function publishVersion(
  context: Context,
  run: JobRun<ImportModelPayload>,
  made: Cursor,
): Promise<string | null | undefined> {
  const { model, pose } = run.payload;
  const objects = await readObjects(context.files, made.file, made.tiles > 0);
  return context.tables.transaction().execute(async (transaction) => {
    const present = await transaction
      .selectFrom('model')
      .select(['file', 'version'])
      .where('uid', '=', model)
      .forUpdate()
      .executeTakeFirst();
    if (!present) return undefined;
    await transaction
      .updateTable('model')
      .set({
        state: 'READY',
        message: null,
        refusal: null,
        file: made.file,
        tiles: made.tiles,
        bytes: made.bytes,
        objects: made.report.objects,
        bounds: JSON.stringify(made.bounds),
        report: JSON.stringify(made.report),
        ...(pose ? { pose: JSON.stringify(pose) } : {}),
        version: present.version + 1,
        updated_at: new Date(),
      })
      .where('uid', '=', model)
      .execute();
    await replaceObjects(transaction, model, objects);
    const cursor: Cursor = { ...made, replaced: present.file };
    await run.progress({ done: 100, total: 100, cursor }, transaction);
    return present.file;
  });
}

/** Otherwise its files would never be deleted. */
async function removedMeanwhile({ files }: Context, left: readonly (string | undefined)[]): Promise<JobOutcome> {
  for (const file of left) if (file !== undefined) await files.remove(file);
  return { result: 'FAILED', message: 'The model was removed meanwhile.' };
}

async function convertSource(
  { files }: Context,
  { name, location }: { readonly name: string; readonly location: string },
  run: JobRun<ImportModelPayload>,
): Promise<Cursor> {
  const folder = await writeTemporaryFiles(() => mkdtemp(path.join(os.tmpdir(), 'walkdown-model-')));
  const [input, output] = [path.join(folder, 'source'), path.join(folder, 'model.glb')];
  try {
    const source = await files.read(run.payload.source);
    await writeTemporaryFiles(() => pipeline(source, createWriteStream(input)));
    let told = Promise.resolve();
    const onProgress = (share: number): void => {
      told = told.then(() => run.progress({ done: Math.round(share * 90), total: 100 }));
      // Handled below. It may reject long before that, and an unhandled rejection would end the process.
      told.catch(() => undefined);
    };
    const converted = await convertModel(input, output, {
      signal: run.signal,
      onProgress,
      ...(run.payload.unit === undefined ? {} : { unit: run.payload.unit }),
    });
    await told;
    const stored = await store(files, output, converted, { name, location });
    const cursor: Cursor = { ...converted, file: stored.id, bytes: converted.report.bytesAfter };
    await removeOnFailure(files, [stored.id], () => run.progress({ done: 100, total: 100, cursor }));
    return cursor;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function store(
  files: Context['files'],
  output: string,
  { tiles }: Converted,
  { name, location }: { readonly name: string; readonly location: string },
): Promise<StoredFile> {
  const audience = { kind: 'location', location } as const;
  if (tiles > 0)
    return files.putFolder(
      { name: `${name} tiles`, mediaType: 'application/octet-stream', audience },
      listEntries(tilesFolder(output)),
    );
  return files.put({ name: `${name}.glb`, mediaType: 'model/gltf-binary', audience }, createReadStream(output));
}

async function* listEntries(folder: string): AsyncGenerator<FolderEntry> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    yield { path: path.relative(folder, file).split(path.sep).join('/'), content: await readFile(file) };
  }
}

const isDoubtful = ({ notes, system }: ModelReport): boolean =>
  notes.length > 0 || system?.horizontal.basis === 'ASSUMED';

const basisWords = {
  FILE: 'as the file says',
  FORMAT: 'by the standard of the format',
  PERSON: 'as chosen at the import',
  ASSUMED: 'assumed, because the file says nothing',
} as const;

function formatMessage({ bytesBefore, bytesAfter, objects, tagged, elements, system }: ModelReport): string {
  const read = elements ? ` ${elements.read} of ${elements.declared} elements with a shape were read.` : '';
  const unit = system?.horizontal;
  const counted = unit
    ? ` Unit: ${unit.unit === 'other' || unit.unit === 'deg' ? `${unit.metres} m` : lengthUnitSymbols[unit.unit]} ` +
      `(${basisWords[unit.basis]}).`
    : '';
  const sizes = `${megabytes(bytesBefore)} became ${megabytes(bytesAfter)}`;
  return `${objects} objects, ${tagged} with tags; ${sizes}.${read}${counted}`;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
