import { distanceBetween, type Point3 } from '#core';
import type { Job } from '#core/api';
import { atLocation, type Caller, type ServerContext } from '#core/server';
import { Tours, type NodePosition } from '#plugins/tour';
import type { ManagedStation, ScanDelivery } from '../../../contract/api/admin.ts';
import type { CloudContext } from '../../cloud/queries/clouds-at.ts';
import { findLinkedNodes } from '../../queries/find-linked-nodes.ts';

export type ContentContext = CloudContext & Pick<ServerContext, 'service'>;

/**
 * Lists the deliveries at a location, its ancestors and its descendants that the caller can access, newest first.
 */
export async function deliveriesAt(context: CloudContext, caller: Caller, location: string): Promise<ScanDelivery[]> {
  const rows = await context.tables
    .selectFrom('cloud')
    .selectAll()
    .where(atLocation('location', await context.locations.accessibleRelated(caller, location)))
    .orderBy('created_at', 'desc')
    .orderBy('uid')
    .execute();
  const [jobs, files] = await Promise.all([
    context.jobs.findAll(rows.flatMap(({ job }) => job ?? [])),
    context.files.findAll(rows.flatMap(({ source_files }) => source_files)),
  ]);
  return rows.map((row) => {
    const { uid, name, kind, place, message, refusal, data_file, extent, contents } = row;
    const job = row.job === null ? undefined : jobs.get(row.job);
    const running = job?.status === 'INPROGRESS';
    return {
      uid,
      name,
      location: row.location,
      capturedAt: row.captured_at?.toISOString() ?? null,
      kind,
      pose: place,
      state: data_file !== null ? 'READY' : running ? 'IMPORTING' : 'FAILED',
      ...(running ? noFailure : message === null ? toFailure(job) : { message, refusal }),
      job: running ? { id: job.id, done: job.done, total: job.total } : null,
      files: row.source_files.flatMap((id, index) => {
        const file = files.get(id);
        return file ? [{ name: file.name, bytes: file.bytes, content: contents[index] ?? null }] : [];
      }),
      extent,
      stations: [...row.stations],
      createdAt: row.created_at.toISOString(),
    };
  });
}

type Failure = Pick<ScanDelivery, 'message' | 'refusal'>;
const noFailure: Failure = { message: null, refusal: null };
const toFailure = (job: Job | undefined): Failure =>
  job?.result === 'FAILED' ? { message: job.message, refusal: job.refusal } : noFailure;

export async function stationsAt(context: ContentContext, caller: Caller, location: string): Promise<ManagedStation[]> {
  const rows = await context.tables
    .selectFrom('station')
    .selectAll()
    .where(atLocation('location', await context.locations.accessibleRelated(caller, location)))
    .orderBy('name')
    .orderBy('uid')
    .execute();
  const nodes = await findLinkedNodes(context, rows);
  return rows.map(
    ({ uid, name, location: stationLocation, x, y, z, heading, captured_at, sigma, tiles_file, delivery, link }) => ({
      uid,
      name,
      location: stationLocation,
      position: [x, y, z],
      heading,
      capturedAt: captured_at.toISOString(),
      sigma,
      hasTiles: tiles_file !== null,
      delivery,
      linkMode: link,
      node: toLinkedNode(nodes.get(uid), [x, y, z]),
    }),
  );
}

const toLinkedNode = (node: NodePosition | undefined, position: Point3): ManagedStation['node'] =>
  node === undefined
    ? null
    : { uid: node.uid, code: node.code, name: node.name, distanceMetres: distanceBetween(node.position, position) };

/** Lists the nodes of the tours at a location, its ancestors and its descendants that the caller can access. */
export async function listLinkableNodes(
  { locations, service }: ContentContext,
  caller: Caller,
  location: string,
): Promise<{ readonly uid: string; readonly code: string; readonly name: string }[]> {
  const nodes = await locations.filterAccessible(caller, await service(Tours).nodesAt(location));
  return nodes.map(({ uid, code, name }) => ({ uid, code, name }));
}
