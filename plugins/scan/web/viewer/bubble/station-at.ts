import { distanceBetween, type Point3 } from '#core';
import type { PanoramaPicture, TourNode } from '#plugins/tour';
import type { ScanStation } from '../../../contract/api.ts';
import { weightedMetres } from '../../../contract/values/station-links.ts';

/** Metres: who stands so near to a station stands at it. */
const standing = 0.05;
/** Metres along a deck beyond which a station that belongs to no node is another place. */
const farthest = 10;
/** Metres by which stations of several days may stand beside each other at one place. */
const beside = 0.5;

/**
 * The station to look from, for a person at a node with the eye at `eye`: where the eye has left the node for a
 * station, that one; else of those that belong to the node the nearest (of several days at one place the newest); else
 * the nearest within 10 m that was found to belong to no node.
 */
export function stationAt(stations: readonly ScanStation[], node: TourNode, eye: Point3): ScanStation | undefined {
  const away = distanceBetween(eye, node.position) > standing;
  const here = stations.filter(({ position }) => away && distanceBetween(position, eye) <= standing);
  const own = stations.filter((station) => station.node === node.uid);
  const free = stations.filter(
    (station) =>
      station.node === null &&
      station.link === 'NEAREST' &&
      weightedMetres(station.position, node.position) <= farthest,
  );
  return newestNear(here, eye) ?? newestNear(own, node.position) ?? newestNear(free, node.position);
}

function newestNear(stations: readonly ScanStation[], place: Point3): ScanStation | undefined {
  const least = Math.min(...stations.map(({ position }) => weightedMetres(position, place)));
  return stations
    .filter(({ position }) => weightedMetres(position, place) <= least + beside)
    .toSorted(
      (a, b) =>
        Date.parse(b.capturedAt) - Date.parse(a.capturedAt) ||
        weightedMetres(a.position, place) - weightedMetres(b.position, place),
    )[0];
}

/** Undefined while its tiles are being made. */
export function toPicture(station: ScanStation, nodes: readonly TourNode[]): PanoramaPicture | undefined {
  const tiles = station.picture ?? isSameCapture(station, nodes) ?? null;
  if (tiles === null) return undefined;
  return {
    tiles,
    heading: station.heading,
    position: station.position,
    ...(station.ranges === null ? {} : { ranges: station.ranges }),
  };
}

/** The panorama of the station's node that was taken on the day of the scan: a newer one may look another way. */
function isSameCapture({ node: uid, day }: ScanStation, nodes: readonly TourNode[]): TourNode['picture'] | undefined {
  const node = nodes.find((each) => each.uid === uid);
  return node && [node, ...node.captures].find((each) => each.day === day)?.picture;
}
