import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { addDays, dayAt, normalizePan, startOfDay } from '#core';
import {
  atLocation,
  invalidRequest,
  matchesAny,
  notFound,
  removeOnFailure,
  tilePanorama,
  withFile,
  type Caller,
  type CameraTilt,
  type ReceivedFile,
  type ReceivedUpload,
  type ServerContext,
} from '#core/server';
import { findCaptureTime, findPictureTilt, type PictureMetadata } from '../../common/picture-metadata.ts';
import { createNameFinder } from '../../common/match-panoramas.ts';
import { tourRefusal } from '../../contract/errors.ts';
import { toursAt } from '../queries/tour-at.ts';
import type { TourTables } from '../tables.ts';
import { createCaptureDayConverter } from '../queries/capture-day.ts';
import { lockNode } from '../queries/lock-node.ts';
import { readPictureMetadata } from '../queries/read-picture-metadata.ts';
import { importPanoramaJob, type ImportPanoramaPayload } from '../jobs/import-panorama.ts';
import { isSameRotation } from '../jobs/publish-panorama.ts';

export type ImportContext = Pick<ServerContext<TourTables>, 'tables' | 'locations' | 'sites' | 'files' | 'jobs'>;

/** Limits of an upload. */
export const panoramaUpload = {
  accept: ['image/jpeg', 'image/png', 'image/webp'],
  maximumBytes: 150 * 1024 * 1024,
  maximumFiles: 100,
};

/** Values for all files of the upload. Missing values are read from the metadata of each file, or from its node. */
interface UploadFields extends Partial<CameraTilt> {
  readonly capturedAt?: string;
  readonly node?: string;
  readonly heading?: number;
}

/** When and how a picture was captured. Angles are in degrees. */
interface Capture extends CameraTilt {
  readonly capturedAt: Date;
  readonly heading: number;
}

interface TargetNode {
  readonly uid: string;
  readonly code: string;
  readonly location: string;
  readonly heading: number;
  readonly posed_tilt: CameraTilt | null;
}

/**
 * Stores the pictures and starts their import jobs. Idempotent.
 *
 * @throws 400, and stores nothing, if a file is no panorama of a whole sphere, matches no accessible node, or has no
 *   date or a future one; 404 if `node` does not exist
 */
export async function receivePanoramas(
  context: ImportContext,
  caller: Caller,
  location: string,
  fields: UploadFields,
  { files }: ReceivedUpload,
): Promise<{ readonly jobs: string[]; readonly unchanged: string[] }> {
  const { timeZone } = await context.sites.recordAt(location);
  const addFileName = (file: ReceivedFile, error: unknown): unknown =>
    files.length === 1 ? error : withFile(file.name, error);
  if (fields.capturedAt !== undefined) assertNotInFuture(new Date(fields.capturedAt), timeZone);
  const targets = await findTargets(context, caller, location, fields.node, files);
  const captures: Capture[] = [];
  for (const { file, target } of targets) {
    try {
      const metadata = await readPictureMetadata(file.path);
      captures.push(findCapture(metadata, fields, target, timeZone));
      await tilePanorama(file.path);
    } catch (error) {
      throw addFileName(file, error);
    }
  }
  const jobs: string[] = [];
  const unchangedCodes: string[] = [];
  for (const [index, { file, target }] of targets.entries()) {
    const job = await storePanorama(context, caller, target, file, captures[index]!);
    if (job === undefined) unchangedCodes.push(target.code);
    else jobs.push(job);
  }
  await context.jobs.notifyRunners();
  return { jobs, unchanged: unchangedCodes };
}

/** @throws 400 if the picture is a part of a sphere, or has no date or a future one */
function findCapture(metadata: PictureMetadata, fields: UploadFields, target: TargetNode, timeZone: string): Capture {
  const { cropped } = metadata;
  if (cropped)
    throw invalidRequest(
      tourRefusal('tour.refused.partOfSphere', { width: cropped.width, fullWidth: cropped.fullWidth }),
    );
  const capturedAt =
    fields.capturedAt === undefined ? findCaptureTime(metadata, timeZone) : new Date(fields.capturedAt);
  if (!capturedAt) throw invalidRequest(tourRefusal('tour.refused.noCaptureTime'));
  assertNotInFuture(capturedAt, timeZone);
  const tilt = findPictureTilt(metadata, target.posed_tilt);
  return {
    capturedAt,
    heading: normalizePan(fields.heading ?? target.heading),
    pitch: fields.pitch ?? tilt.pitch,
    roll: fields.roll ?? tilt.roll,
  };
}

function assertNotInFuture(capturedAt: Date, timeZone: string): void {
  // The client sends noon for a date without a time, which may be later than now.
  if (capturedAt >= startOfDay(addDays(dayAt(new Date(), timeZone), 1), timeZone))
    throw invalidRequest(tourRefusal('tour.refused.future'), [
      { pointer: '/capturedAt', message: 'core.validation.format' },
    ]);
}

async function findTargets(
  context: ImportContext,
  caller: Caller,
  location: string,
  node: string | undefined,
  files: readonly ReceivedFile[],
): Promise<readonly { readonly file: ReceivedFile; readonly target: TargetNode }[]> {
  const tours = await toursAt(context, location);
  const nodes =
    tours.length === 0
      ? []
      : await context.tables
          .selectFrom('node')
          .select(['uid', 'code', 'location', 'heading', 'posed_tilt'])
          .where(matchesAny('tour', tours))
          .where(atLocation('location', await context.locations.accessible(caller)))
          .orderBy('position')
          .execute();
  if (node !== undefined) {
    const target = nodes.find(({ uid }) => uid === node);
    if (!target) throw notFound('This node');
    if (files.length > 1) throw invalidRequest(tourRefusal('tour.refused.onePlace'));
    return files.map((file) => ({ file, target }));
  }
  const findByName = createNameFinder(nodes);
  const matches = files.map((file) => ({ file, target: findByName(file.name) }));
  const unmatchedNames = matches.flatMap(({ file, target }) => (target ? [] : [file.name]));
  if (unmatchedNames.length > 0)
    throw invalidRequest(
      tourRefusal('tour.refused.noSuchPlace', {
        names: unmatchedNames.join(', '),
        example: `${nodes[0]?.code ?? 'N1'}.jpg`,
      }),
    );
  const targets = matches.flatMap(({ file, target }) => (target ? [{ file, target }] : []));
  const duplicate = targets.find(({ target }, index) => targets.findIndex((other) => other.target === target) < index);
  if (duplicate) throw invalidRequest(tourRefusal('tour.refused.samePlace', { name: duplicate.file.name }));
  return targets;
}

/** Stores one picture and starts its job. Returns the job's id, or undefined if the node already has the picture. */
async function storePanorama(
  context: ImportContext,
  caller: Caller,
  { uid, location }: TargetNode,
  file: ReceivedFile,
  { capturedAt, ...rotation }: Capture,
): Promise<string | undefined> {
  const { files } = context;
  const storedFile = await files.put(
    { name: file.name, mediaType: file.mediaType, audience: { kind: 'location', location } },
    file.stream(),
  );
  const startedImport = await removeOnFailure(files, [storedFile.id], () =>
    insertIncoming(
      context,
      caller,
      { node: uid, captured_at: capturedAt, ...rotation, panorama_file: storedFile.id },
      location,
      storedFile.sha256,
    ),
  );
  for (const unusedFile of startedImport?.replaced ?? [storedFile.id]) await files.remove(unusedFile);
  return startedImport?.job;
}

type IncomingInput = Pick<
  Selectable<TourTables['incoming']>,
  'node' | 'captured_at' | 'heading' | 'pitch' | 'roll' | 'panorama_file'
>;

/**
 * Inserts a panorama whose file is stored, and starts its job. Returns the files of the imports that it replaces, or
 * undefined if the node already has the same picture of that day.
 */
async function insertIncoming(
  context: ImportContext,
  caller: Caller,
  incomingPanorama: IncomingInput,
  location: string,
  sha256: string,
): Promise<{ readonly job: string; readonly replaced: readonly string[] } | undefined> {
  const { tables } = context;
  const toCaptureDay = await createCaptureDayConverter(context, location);
  const day = toCaptureDay(incomingPanorama.captured_at);
  const listPendingUids = async (database: Kysely<TourTables>): Promise<readonly string[]> =>
    (
      await database
        .selectFrom('incoming')
        .select(['uid', 'captured_at'])
        .where('node', '=', incomingPanorama.node)
        .execute()
    )
      .filter((pendingPanorama) => toCaptureDay(pendingPanorama.captured_at) === day)
      .map(({ uid }) => uid);
  const currentPanoramas = await tables
    .selectFrom('node')
    .select(['captured_at', 'heading', 'pitch', 'roll', 'panorama_file'])
    .where('uid', '=', incomingPanorama.node)
    .where('panorama_file', 'is not', null)
    .$narrowType<{ captured_at: Date; panorama_file: string }>()
    .execute();
  const earlierCaptures = await tables
    .selectFrom('capture')
    .select(['captured_at', 'heading', 'pitch', 'roll', 'panorama_file'])
    .where('node', '=', incomingPanorama.node)
    .execute();
  const sameDayPanorama = [...currentPanoramas, ...earlierCaptures].find(
    (panorama) => toCaptureDay(panorama.captured_at) === day,
  );
  const hasPending = (await listPendingUids(tables)).length > 0;
  if (
    !hasPending &&
    sameDayPanorama &&
    isSameRotation(sameDayPanorama, incomingPanorama) &&
    (await context.files.find(sameDayPanorama.panorama_file))?.sha256 === sha256
  )
    return undefined;
  return tables.transaction().execute(async (transaction) => {
    await lockNode(transaction, incomingPanorama.node);
    const uid = randomUUID();
    const pendingUids = await listPendingUids(transaction);
    // The last upload of a day wins. Panoramas that were published in the meantime are not pending and keep their
    // files.
    const replacedPanoramas =
      pendingUids.length === 0
        ? []
        : await transaction
            .deleteFrom('incoming')
            .where(matchesAny('uid', pendingUids))
            .returning('panorama_file')
            .execute();
    const job = await context.jobs.start<ImportPanoramaPayload>(
      importPanoramaJob,
      { incoming: uid },
      caller.uid,
      transaction,
    );
    await transaction
      .insertInto('incoming')
      .values({ ...incomingPanorama, uid, job, message: null, refusal: null })
      .execute();
    return { job, replaced: replacedPanoramas.map(({ panorama_file }) => panorama_file) };
  });
}
