import type { Point3 } from '#core';
import type { ServerContext } from '#core/server';
import { Tours, type NodePosition } from '#plugins/tour';
import { maxLinkMetres, weightedMetres, type LinkMode } from '../../contract/values/station-links.ts';

interface PlacedStation {
  readonly uid: string;
  readonly location: string;
  readonly node: string | null;
  readonly link: LinkMode;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/**
 * Finds the linked node of each station by station uid and omits stations without one. The links are not stored, so
 * that moved stations and new nodes take effect at once. Considers the nodes of the tour at the station's location.
 */
export async function findLinkedNodes(
  { service }: Pick<ServerContext, 'service'>,
  stations: readonly PlacedStation[],
): Promise<ReadonlyMap<string, NodePosition>> {
  const nodesAt = await service(Tours).nodesAtEach([...new Set(stations.map(({ location }) => location))]);
  return new Map(
    stations.flatMap((station) => {
      const node = findLinkedNode(station, nodesAt.get(station.location) ?? []);
      return node ? [[station.uid, node] as const] : [];
    }),
  );
}

function findLinkedNode(
  { node, link, x, y, z }: PlacedStation,
  nodes: readonly NodePosition[],
): NodePosition | undefined {
  const savedNode = node === null ? undefined : nodes.find(({ uid }) => uid === node);
  return link === 'CHOSEN' ? savedNode : (savedNode ?? findNearest(nodes, [x, y, z]));
}

function findNearest(nodes: readonly NodePosition[], position: Point3): NodePosition | undefined {
  let nearest: NodePosition | undefined;
  let nearestMetres = maxLinkMetres;
  for (const node of nodes) {
    const metres = weightedMetres(node.position, position);
    if (metres > nearestMetres || (nearest && metres === nearestMetres)) continue;
    [nearest, nearestMetres] = [node, metres];
  }
  return nearest;
}
