import { distanceOf, locationPath, type Point3 } from '#core';
import type { Job } from '#core/api';
import type { Caller, ServerContext } from '#core/server';
import { Tours, type NodePlace } from '#plugins/tour';
import type { ManagedStation, ScanDelivery } from '../../contract/admin/api.ts';
import { cloudTables } from '../cloud/cloud-tables.ts';
import type { CloudContext } from '../cloud/clouds-at.ts';
import { tiedNodes } from '../stations/tied-nodes.ts';
import { scanSchema, type ScanTables } from '../tables.ts';

export type ContentContext = CloudContext & Pick<ServerContext, 'service'>;

/** What was delivered at a location, above it and below it, as far as the caller reaches: the newest first. */
export async function deliveriesAt(context: CloudContext, caller: Caller, location: string): Promise<ScanDelivery[]> {
  const places = await reachedAround(context, caller, location);
  if (places.length === 0) return [];
  const rows = await cloudTables(context)
    .selectFrom('cloud')
    .selectAll()
    .where('location', 'in', places)
    .orderBy('created_at', 'desc')
    .orderBy('code')
    .execute();
  return Promise.all(
    rows.map(
      async ({
        code,
        name,
        location: at,
        captured_at,
        kind,
        place,
        job: id,
        message,
        refusal,
        source_files,
        data_file,
        extent,
        stations,
        contents,
        created_at,
      }) => {
        const job = id === null ? undefined : await context.jobs.find(id);
        const files = await Promise.all(source_files.map((file) => context.files.find(file)));
        const running = job?.status === 'INPROGRESS';
        return {
          code,
          name,
          location: at,
          capturedAt: captured_at?.toISOString() ?? null,
          kind,
          place,
          state: data_file !== null ? 'READY' : running ? 'IMPORTING' : 'FAILED',
          ...(running ? succeeded : message === null ? failureOf(job) : { message, refusal }),
          job: running ? { id: job.id, done: job.done, total: job.total } : null,
          files: files.flatMap((file, index) =>
            file ? [{ name: file.name, bytes: file.bytes, content: contents[index] ?? null }] : [],
          ),
          extent,
          stations: [...stations],
          createdAt: created_at.toISOString(),
        };
      },
    ),
  );
}

type Failure = Pick<ScanDelivery, 'message' | 'refusal'>;
const succeeded: Failure = { message: null, refusal: null };
const failureOf = (job: Job | undefined): Failure =>
  job?.result === 'FAILED' ? { message: job.message, refusal: job.refusal } : succeeded;

export async function stationsAt(context: ContentContext, caller: Caller, location: string): Promise<ManagedStation[]> {
  const places = await reachedAround(context, caller, location);
  if (places.length === 0) return [];
  const rows = await context.database
    .of<ScanTables>(scanSchema)
    .selectFrom('station')
    .selectAll()
    .where('location', 'in', places)
    .orderBy('name')
    .orderBy('code')
    .execute();
  const nodes = await tiedNodes(context, rows);
  return rows.map(({ code, name, location: at, x, y, z, heading, captured_at, sigma, tiles_file, delivery, tie }) => ({
    code,
    name,
    location: at,
    position: [x, y, z],
    heading,
    capturedAt: captured_at.toISOString(),
    sigma,
    ready: tiles_file !== null,
    delivery,
    tie,
    node: tieOf(nodes.get(code), [x, y, z]),
  }));
}

const tieOf = (node: NodePlace | undefined, place: Point3): ManagedStation['node'] =>
  node === undefined
    ? null
    : { uid: node.uid, code: node.code, name: node.name, metres: distanceOf(node.position, place) };

/** The nodes of the tours around a location that the caller reaches. */
export async function nodesToTie(
  context: ContentContext,
  caller: Caller,
  location: string,
): Promise<{ readonly uid: string; readonly code: string; readonly name: string }[]> {
  const nodes = await context.service(Tours).nodesAt(location);
  const reached = await Promise.all(nodes.map((node) => context.locations.canAccess(caller, node.location)));
  return nodes.filter((_, index) => reached[index]).map(({ uid, code, name }) => ({ uid, code, name }));
}

async function reachedAround(context: CloudContext, caller: Caller, location: string): Promise<string[]> {
  const rows = await context.locations.all();
  const byUid = new Map(rows.map((row) => [row.uid, row]));
  const above = new Set(locationPath(byUid, location).map((row) => row.uid));
  const around = rows
    .filter((row) => above.has(row.uid) || locationPath(byUid, row.uid).some((step) => step.uid === location))
    .map((row) => row.uid);
  const reached = await Promise.all(around.map((uid) => context.locations.canAccess(caller, uid)));
  return around.filter((_, index) => reached[index]);
}
