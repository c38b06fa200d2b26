import type { Selectable } from 'kysely';
import { validationMessages } from '#core';
import {
  Accounts,
  atLocation,
  versionConflict,
  invalidRequest,
  isUniqueViolation,
  notFound,
  type Caller,
  type StoredFile,
} from '#core/server';
import { Tours } from '#plugins/tour';
import type { Marker, MarkerFile, MarkerInput } from '#plugins/vr';
import { vrRefusal } from '../../contract/errors.ts';
import type { VrTables } from '../tables.ts';
import { isAvailableDocument, removeDocument } from './documents.ts';
import type { MarkerContext } from './marker-context.ts';

type Row = Selectable<VrTables['marker']>;

/**
 * Lists the markers of the location's tour at accessible locations.
 *
 * @throws 404 if there is no tour
 */
export async function markersAt(context: MarkerContext, caller: Caller, location: string): Promise<Marker[]> {
  const tour = await context.service(Tours).tourAt(location);
  const rows = await context.tables
    .selectFrom('marker')
    .selectAll()
    .where('tour', '=', tour)
    .where(atLocation('location', await context.locations.accessible(caller)))
    .orderBy('name')
    .orderBy('uid')
    .execute();
  return loadMarkers(context, caller, rows);
}

/**
 * Creates or updates a marker.
 *
 * @throws 400 for an invalid shape or target, 404 for a marker of another location, 409 with the current marker if the
 *   version is outdated
 */
export async function saveMarker(
  context: MarkerContext,
  caller: Caller,
  location: string,
  uid: string,
  input: MarkerInput,
): Promise<Marker> {
  const resolvedInput = await resolveTarget(context, location, validateMarker(input));
  const { version, points, ...otherFields } = resolvedInput;
  const { tables } = context;
  const existingMarker = await findMarker(context, uid);
  if (existingMarker && existingMarker.location !== location) throw notFound('This marker');
  if (existingMarker && existingMarker.version !== version)
    return replyToOutdatedVersion(context, caller, uid, existingMarker, resolvedInput);
  if (
    otherFields.file !== null &&
    otherFields.file !== existingMarker?.file &&
    !(await isAvailableDocument(context, otherFields.file, location, uid))
  )
    throw notFound('The uploaded document');
  const tours = context.service(Tours);
  const tour = await tours.tourAt(location);
  const [seenFrom = []] = await tours.nodesThatSee(tour, [points]);
  const values = {
    ...otherFields,
    points: JSON.stringify(points),
    seen_from: JSON.stringify(seenFrom),
    author: caller.uid,
    author_name: await getName(context, caller),
    version: version + 1,
    updated_at: new Date(),
  };
  if (!existingMarker) {
    try {
      return await loadMarker(
        context,
        caller,
        await tables
          .insertInto('marker')
          .values({ ...values, uid, location, tour })
          .returningAll()
          .executeTakeFirstOrThrow(),
      );
    } catch (cause) {
      if (!isUniqueViolation(cause)) throw cause;
      return saveMarker(context, caller, location, uid, input);
    }
  }
  const updatedMarker = await tables
    .updateTable('marker')
    .set(values)
    .where('uid', '=', uid)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();
  if (!updatedMarker) return replyToOutdatedVersion(context, caller, uid, existingMarker, resolvedInput);
  if (existingMarker.file !== null && existingMarker.file !== updatedMarker.file)
    await removeDocument(context, existingMarker.file);
  return loadMarker(context, caller, updatedMarker);
}

/** Deletes a marker with its document. */
export async function removeMarker(context: MarkerContext, location: string, uid: string): Promise<void> {
  const deletedMarker = await context.tables
    .deleteFrom('marker')
    .where('uid', '=', uid)
    .where('location', '=', location)
    .returning('file')
    .executeTakeFirst();
  if (deletedMarker?.file) await removeDocument(context, deletedMarker.file);
}

const findMarker = (context: MarkerContext, uid: string): Promise<Row | undefined> =>
  context.tables.selectFrom('marker').selectAll().where('uid', '=', uid).executeTakeFirst();

/** Accepts a repeated request, because its first reply may have been lost. Refuses any other outdated version. */
async function replyToOutdatedVersion(
  context: MarkerContext,
  caller: Caller,
  uid: string,
  previous: Row,
  input: MarkerInput,
): Promise<Marker> {
  const latest = (await findMarker(context, uid)) ?? previous;
  const current = await loadMarker(context, caller, latest);
  if (latest.version === input.version + 1 && serializeContent(latest) === serializeContent(input)) return current;
  throw versionConflict('Somebody else has changed this marker.', current);
}

const serializeContent = ({ kind, shape, name, text, points, target, file }: Omit<MarkerInput, 'version'>): string =>
  JSON.stringify([kind, shape, name, text, points, target, file]);

/** @throws `invalidRequest` (400) if the points do not match the shape, or the target or file does not match the kind */
export function validateMarker<Input extends Pick<MarkerInput, 'kind' | 'shape' | 'points' | 'target' | 'file'>>(
  input: Input,
): Input {
  const { kind, shape, points, target, file } = input;
  if (shape === 'POINT' ? points.length !== 1 : points.length < 3)
    throw invalidRequest(shape === 'POINT' ? 'A point marker has one point.' : 'An area has at least three corners.');
  if (kind === 'DOCUMENT' ? (target === null) === (file === null) : file !== null)
    throw invalidRequest('A document is either a file or a URL. Other markers have no file.');
  if (kind === 'DOCUMENT' && target !== null && !/^https:\/\/\S+$/.test(target))
    throw invalidRequest('The URL of a document begins with https://.');
  if ((kind === 'TAG' || kind === 'HOTSPOT') && target === null)
    throw invalidRequest(
      'A tag marker needs the number of a tag, and a hotspot needs the viewpoint to which it leads.',
    );
  return kind === 'NOTE' ? { ...input, target: null } : input;
}

/** Replaces the number of a tag by its uid. */
async function resolveTarget(context: MarkerContext, location: string, input: MarkerInput): Promise<MarkerInput> {
  if (input.kind !== 'TAG' || input.target === null) return input;
  const target = (await context.service(Tours).findTags(location, [input.target])).get(input.target);
  if (target === undefined)
    throw invalidRequest(vrRefusal('vr.refused.noSuchTag', { number: input.target }), [
      { pointer: '/target', message: validationMessages.choice },
    ]);
  return { ...input, target };
}

const getName = async (context: MarkerContext, { uid, username }: Caller): Promise<string> =>
  (await context.service(Accounts).findNames([uid])).get(uid) ?? username;

async function loadMarker(context: MarkerContext, caller: Caller, row: Row): Promise<Marker> {
  return (await loadMarkers(context, caller, [row]))[0]!;
}

/** Adds the current names of the authors, or the last names of deleted accounts. */
async function loadMarkers(context: MarkerContext, caller: Caller, rows: readonly Row[]): Promise<Marker[]> {
  const names = await context.service(Accounts).findNames(rows.map(({ author }) => author));
  const numbers = await context.service(Tours).tagNumbers(
    rows.flatMap(({ kind, target }) => (kind === 'TAG' && target !== null ? target : [])),
    await context.locations.accessible(caller),
  );
  const files = await context.files.findAll(rows.flatMap(({ file }) => file ?? []));
  return rows.map(({ seen_from, author_name, updated_at, author, tour: _tour, file, target, ...row }) => ({
    ...row,
    target: row.kind === 'TAG' && target !== null ? (numbers.get(target) ?? null) : target,
    file: toMarkerFile(context, file === null ? undefined : files.get(file)),
    seenFrom: seen_from,
    author: names.get(author) ?? author_name,
    updatedAt: updated_at.toISOString(),
  }));
}

const toMarkerFile = ({ files }: MarkerContext, file: StoredFile | undefined): MarkerFile | null =>
  file ? { id: file.id, name: file.name, bytes: file.bytes, address: files.url(file.id) } : null;
