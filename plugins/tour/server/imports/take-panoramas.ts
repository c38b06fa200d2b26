import { randomUUID } from 'node:crypto';
import { normalizePan } from '#core';
import { invalidRequest, notFound, saidOf, tilePanorama, type Caller, type ReceivedFile, type ReceivedUpload, type ServerContext } from '#core/server';
import { tourRefusal } from '../../contract/refusals.ts';
import { filterReached, reachOf, tablesOf, tourCodesAt } from '../queries/tour-at.ts';
import { captureDay } from './capture-day.ts';
import { importPanoramaJob, type ImportPanoramaPayload } from './import-panorama.ts';

export type ImportContext = Pick<ServerContext, 'database' | 'locations' | 'files' | 'jobs'>;

/** What a form with panoramas may hold. */
export const panoramaUpload = { accept: ['image/jpeg', 'image/png', 'image/webp'], maximumBytes: 150 * 1024 * 1024, maximumFiles: 100 };

interface Asked {
  readonly capturedAt: string;
  readonly node?: string;
  readonly heading?: number;
}

interface Target {
  readonly code: string;
  readonly location: string;
  readonly heading: number;
}

/**
 * Keeps the pictures, and starts the jobs that bring them to their nodes. What is sent twice changes nothing. Throws 400 with a sentence, and keeps nothing, where a file is no panorama or is named after
 * no node that the caller reaches, or its day has not come yet; 404 where there is no such node.
 */
export async function takePanoramas(context: ImportContext, caller: Caller, location: string, asked: Asked, { files }: ReceivedUpload): Promise<{ readonly jobs: string[]; readonly unchanged: string[] }> {
  const takenAt = new Date(asked.capturedAt);
  // A day is sent as its noon in UTC, and begins in the far east fourteen hours before.
  if (takenAt.getTime() > Date.now() + 26 * 3_600_000) throw invalidRequest(tourRefusal('tour.refused.future'), [{ pointer: '/capturedAt', message: 'core.validation.format' }]);
  const chosen = await targetsOf(context, caller, location, asked.node, files);
  for (const { file } of chosen) {
    await tilePanorama(file.path).catch((error: unknown) => {
      throw files.length > 1 ? saidOf(file.name, error) : error;
    });
  }
  const jobs: string[] = [];
  const unchanged: string[] = [];
  for (const { file, target } of chosen) {
    const job = await takeOne(context, caller, target, file, { takenAt, heading: normalizePan(asked.heading ?? target.heading) });
    if (job === undefined) unchanged.push(target.code);
    else jobs.push(job);
  }
  await context.jobs.look();
  return { jobs, unchanged };
}

async function targetsOf(context: ImportContext, caller: Caller, location: string, node: string | undefined, files: readonly ReceivedFile[]): Promise<readonly { readonly file: ReceivedFile; readonly target: Target }[]> {
  const tours = await tourCodesAt(context, location);
  const all = tours.length === 0 ? [] : await tablesOf(context).selectFrom('node').select(['code', 'location', 'heading']).where('tour', 'in', tours).orderBy('position').execute();
  const nodes = await filterReached(all, reachOf(context, caller));
  if (node !== undefined) {
    const target = nodes.find(({ code }) => code === node);
    if (!target) throw notFound('This node');
    if (files.length > 1) throw invalidRequest(tourRefusal('tour.refused.onePlace'));
    return files.map((file) => ({ file, target }));
  }
  const byName = new Map(nodes.map((each) => [each.code.toLowerCase(), each]));
  const nameOf = (file: ReceivedFile): string => file.name.replace(/\.[^.]+$/, '').toLowerCase();
  const strange = files.filter((file) => !byName.has(nameOf(file))).map(({ name }) => name);
  if (strange.length > 0) throw invalidRequest(tourRefusal('tour.refused.noSuchPlace', { names: strange.join(', '), example: `${nodes[0]?.code ?? 'N1'}.jpg` }));
  const twice = files.find((file, index) => files.findIndex((other) => nameOf(other) === nameOf(file)) < index);
  if (twice) throw invalidRequest(tourRefusal('tour.refused.samePlace', { name: twice.name }));
  return files.flatMap((file) => byName.get(nameOf(file)) ?? []).map((target, index) => ({ file: files[index]!, target }));
}

/** Returns the job's id; undefined where the node has this very picture of that day already. */
async function takeOne(context: ImportContext, caller: Caller, { code, location }: Target, file: ReceivedFile, { takenAt, heading }: { readonly takenAt: Date; readonly heading: number }): Promise<string | undefined> {
  const { files } = context;
  const day = captureDay(takenAt);
  const stored = await files.put({ name: file.name, mediaType: file.mediaType, audience: { kind: 'location', location } }, file.stream());
  const tables = tablesOf(context);
  const present = await tables.selectFrom('node').select(['captured_at', 'heading', 'panorama_file']).where('code', '=', code).execute();
  const earlier = await tables.selectFrom('capture').select(['captured_at', 'heading', 'panorama_file']).where('node', '=', code).execute();
  const there = [...present, ...earlier].find((each) => captureDay(each.captured_at) === day);
  const waiting = (await tables.selectFrom('incoming').select(['uid', 'captured_at', 'panorama_file']).where('node', '=', code).execute()).filter((each) => captureDay(each.captured_at) === day);
  const same = waiting.length === 0 && there?.heading === heading && (await files.find(there.panorama_file))?.sha256 === stored.sha256;
  if (same) {
    await files.remove(stored.id);
    return undefined;
  }
  const uid = randomUUID();
  const job = await tables.transaction().execute(async (transaction) => {
    // The last one that is sent for a day counts: the ones before are not waited for any more.
    if (waiting.length > 0) await transaction.deleteFrom('incoming').where('uid', 'in', waiting.map((each) => each.uid)).execute();
    const started = await context.jobs.start<ImportPanoramaPayload>(importPanoramaJob, { incoming: uid }, caller.uid, transaction);
    await transaction.insertInto('incoming').values({ uid, node: code, captured_at: takenAt, heading, panorama_file: stored.id, job: started, message: null, refusal: null }).execute();
    return started;
  });
  for (const each of waiting) await files.remove(each.panorama_file);
  return job;
}
