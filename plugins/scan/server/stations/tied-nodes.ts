import type { Point3 } from '#core';
import type { ServerContext } from '#core/server';
import { Tours, type NodePlace } from '#plugins/tour';
import { metresAlong, tieReach, type StationTie } from '../../contract/ties.ts';

interface PlacedStation {
  readonly code: string;
  readonly location: string;
  readonly node: string | null;
  readonly tie: StationTie;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/**
 * The node that each station belongs to, by the station's code; those that belong to none are left out. It is looked up
 * and not kept: a station that is moved, or a node that comes later, is right at once. Nodes are those of the tour at
 * the station's location, in the one frame of the site.
 */
export async function tiedNodes(
  { service }: Pick<ServerContext, 'service'>,
  stations: readonly PlacedStation[],
): Promise<ReadonlyMap<string, NodePlace>> {
  const known = new Map<string, readonly NodePlace[]>();
  for (const { location } of stations)
    if (!known.has(location)) known.set(location, await service(Tours).nodesAt(location));
  return new Map(
    stations.flatMap((station) => {
      const nodes = known.get(station.location) ?? [];
      const named = station.node === null ? undefined : nodes.find(({ uid }) => uid === station.node);
      const node = station.tie === 'CHOSEN' ? named : (named ?? nearest(nodes, [station.x, station.y, station.z]));
      return node ? [[station.code, node] as const] : [];
    }),
  );
}

function nearest(nodes: readonly NodePlace[], place: Point3): NodePlace | undefined {
  const [first] = nodes
    .map((node) => ({ node, metres: metresAlong(node.position, place) }))
    .filter(({ metres }) => metres <= tieReach)
    .toSorted((a, b) => a.metres - b.metres);
  return first?.node;
}
