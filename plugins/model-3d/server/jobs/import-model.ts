import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { QueryExecutorProvider } from 'kysely';
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
import { convertModel, toTilesFolder, type ConvertedModel } from './convert-model.ts';
import { readObjects, replaceObjects } from './model-objects.ts';
import { startTagRulesJobs } from './start-tag-rules.ts';
import type { ModelTables } from '../tables.ts';

export const importModelJob = 'model-3d.import-model';
export interface ImportModelPayload {
  /** Uid of the model. */
  readonly model: string;
  /** Id of the uploaded file, which is deleted when the job ends. */
  readonly source: string;
  /** Placement of the new version. Without it, the version gets the placement of the previous one. */
  readonly pose?: ModelPose;
  /** The unit of length that a person chose instead of the file's own. */
  readonly unit?: LengthUnit;
}

/** Called in the transaction that moves, replaces or deletes a model at a location. */
export type OnSurfacesChanged = (location: string, transaction: QueryExecutorProvider) => Promise<void>;

interface ImportCursor extends ConvertedModel {
  readonly file: string;
  readonly bytes: number;
  /** The file of the previous version, or null. Set when the new version is published. */
  readonly replaced?: string | null;
}

type ImportContext = Pick<ServerContext<ModelTables>, 'tables' | 'files' | 'jobs'>;

/**
 * Converts an upload and publishes it as the model's next version. First the complete GLB or tile folder is stored and
 * recorded in the cursor. Then row and cursor change in one transaction, so that a retry neither publishes twice nor
 * replaces a later version. The previous version stays visible until then. If there is one,
 * `onReplaced` is called in this transaction.
 */
export async function runImportModel(
  context: ImportContext,
  run: JobRun<ImportModelPayload>,
  onReplaced: OnSurfacesChanged = () => Promise.resolve(),
): Promise<JobOutcome> {
  const { model, source } = run.payload;
  const { tables } = context;
  const row = await tables.selectFrom('model').select(['name', 'location']).where('uid', '=', model).executeTakeFirst();
  const savedCursor = run.cursor as ImportCursor | undefined;
  if (!row) return removeFiles(context, [source, savedCursor?.file]);
  try {
    const cursor = savedCursor ?? (await convertSource(context, row, run));
    const replacedFile =
      cursor.replaced === undefined
        ? await publishVersion(context, run, cursor, (transaction) => onReplaced(row.location, transaction))
        : cursor.replaced;
    if (replacedFile === undefined) return await removeFiles(context, [source, cursor.file]);
    if (replacedFile !== null) await context.files.remove(replacedFile);
    await context.files.remove(source);
    await context.jobs.notifyRunners();
    return { result: hasWarnings(cursor.report) ? 'WARNING' : 'SUCCESS', message: formatMessage(cursor.report) };
  } catch (error) {
    if (!(error instanceof ServerError) || error.status === 503) throw error;
    if (error.status === 507)
      run.log.error(
        { folder: os.tmpdir() },
        'A model was not imported, because the folder of temporary files (TMPDIR) is full.',
      );
    else run.log.info({ model, cause: error.cause }, 'The import refused the model file.');
    await tables
      .updateTable('model')
      .set({
        state: (current) =>
          current
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
 * Publishes the converted file as the current version plus one. Returns the file of the previous version, null if there
 * was none, or undefined if the model was deleted during the import.
 */
async function publishVersion(
  context: ImportContext,
  run: JobRun<ImportModelPayload>,
  convertedModel: ImportCursor,
  onReplaced: (transaction: QueryExecutorProvider) => Promise<void>,
): Promise<string | null | undefined> {
  const { model, pose } = run.payload;
  const objects = await readObjects(context.files, convertedModel.file, convertedModel.tiles > 0);
  return context.tables.transaction().execute(async (transaction) => {
    const current = await transaction
      .selectFrom('model')
      .select(['file', 'version'])
      .where('uid', '=', model)
      .forUpdate()
      .executeTakeFirst();
    if (!current) return undefined;
    await transaction
      .updateTable('model')
      .set({
        state: 'READY',
        message: null,
        refusal: null,
        file: convertedModel.file,
        tiles: convertedModel.tiles,
        bytes: convertedModel.bytes,
        objects: convertedModel.report.objects,
        bounds: JSON.stringify(convertedModel.bounds),
        report: JSON.stringify(convertedModel.report),
        ...(pose ? { pose: JSON.stringify(pose) } : {}),
        version: current.version + 1,
        updated_at: new Date(),
      })
      .where('uid', '=', model)
      .execute();
    await replaceObjects(transaction, model, objects);
    const rules = await transaction.selectFrom('tag_rules').select('model').where('model', '=', model).execute();
    await startTagRulesJobs(
      context.jobs,
      transaction,
      rules.map((row) => row.model),
    );
    if (current.file !== null) await onReplaced(transaction);
    const cursor: ImportCursor = { ...convertedModel, replaced: current.file };
    await run.progress({ done: 100, total: 100, cursor }, transaction);
    return current.file;
  });
}

/** Deletes the files of an import whose model was deleted. */
async function removeFiles(context: ImportContext, files: readonly (string | undefined)[]): Promise<JobOutcome> {
  for (const file of files) if (file !== undefined) await context.files.remove(file);
  return { result: 'FAILED', message: 'The model was deleted during the import.' };
}

async function convertSource(
  { files }: ImportContext,
  { name, location }: { readonly name: string; readonly location: string },
  run: JobRun<ImportModelPayload>,
): Promise<ImportCursor> {
  const folder = await writeTemporaryFiles(() => mkdtemp(path.join(os.tmpdir(), 'walkdown-model-')));
  const [input, output] = [path.join(folder, 'source'), path.join(folder, 'model.glb')];
  try {
    const source = await files.read(run.payload.source);
    await writeTemporaryFiles(() => pipeline(source, createWriteStream(input)));
    let pendingProgress = Promise.resolve();
    const onProgress = (fraction: number): void => {
      pendingProgress = pendingProgress.then(() => run.progress({ done: Math.round(fraction * 90), total: 100 }));
      // A rejection is handled by the `await` below. Until then it must not count as unhandled and end the process.
      pendingProgress.catch(() => undefined);
    };
    const model = await convertModel(input, output, {
      signal: run.signal,
      onProgress,
      ...(run.payload.unit === undefined ? {} : { unit: run.payload.unit }),
    });
    await pendingProgress;
    const storedFile = await storeModel(files, output, model, { name, location });
    const cursor: ImportCursor = { ...model, file: storedFile.id, bytes: model.report.bytesAfter };
    await removeOnFailure(files, [storedFile.id], () => run.progress({ done: 100, total: 100, cursor }));
    return cursor;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function storeModel(
  files: ImportContext['files'],
  output: string,
  { tiles }: ConvertedModel,
  { name, location }: { readonly name: string; readonly location: string },
): Promise<StoredFile> {
  const audience = { kind: 'location', location } as const;
  if (tiles > 0)
    return files.putFolder(
      { name: `${name} tiles`, mediaType: 'application/octet-stream', audience },
      listEntries(toTilesFolder(output)),
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

const hasWarnings = ({ notes, system }: ModelReport): boolean =>
  notes.length > 0 || system?.horizontal.basis === 'ASSUMED';

const basisText = {
  FILE: 'as the file says',
  FORMAT: 'by the standard of the format',
  PERSON: 'as chosen at the import',
  ASSUMED: 'assumed, because the file says nothing',
} as const;

function formatMessage({ bytesBefore, bytesAfter, objects, tagged, elements, system }: ModelReport): string {
  const elementsText = elements ? ` ${elements.read} of ${elements.declared} elements with a shape were read.` : '';
  const unit = system?.horizontal;
  const unitText = unit
    ? ` Unit: ${unit.unit === 'other' || unit.unit === 'deg' ? `${unit.metres} m` : lengthUnitSymbols[unit.unit]} ` +
      `(${basisText[unit.basis]}).`
    : '';
  const sizesText = `${formatMegabytes(bytesBefore)} became ${formatMegabytes(bytesAfter)}`;
  return `${objects} objects, ${tagged} with tags; ${sizesText}.${elementsText}${unitText}`;
}

const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
