import { distanceBetween, type Point3 } from '#core';
import type { PanoramaPicture, TourNode } from '#plugins/tour';
import type { ScanStation } from '../../../contract/api.ts';
import { weightedMetres } from '../../../contract/values/station-links.ts';

/** Metres: within this distance the eye is at the station. */
const atStation = 0.05;
/** Metres on the deck beyond which a station without a link is another place. */
const farthest = 10;
/** Metres within which stations of several days count as one place. */
const samePlace = 0.5;

/**
 * Finds the station to show for a node and an eye position, in this order: a station at the eye if the eye has left the
 * node; the nearest station linked to the node (the newest of several days); the nearest unlinked one within 10 m.
 */
export function stationAt(stations: readonly ScanStation[], node: TourNode, eye: Point3): ScanStation | undefined {
  const away = distanceBetween(eye, node.position) > atStation;
  const here = stations.filter(({ position }) => away && distanceBetween(position, eye) <= atStation);
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
  const nearest = Math.min(...stations.map(({ position }) => weightedMetres(position, place)));
  return stations
    .filter(({ position }) => weightedMetres(position, place) <= nearest + samePlace)
    .toSorted(
      (a, b) =>
        Date.parse(b.capturedAt) - Date.parse(a.capturedAt) ||
        weightedMetres(a.position, place) - weightedMetres(b.position, place),
    )[0];
}

/** Undefined until the tiles are made. */
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

/** The panorama of the station's node from the day of the scan, because a newer one may have another heading. */
function isSameCapture({ node: uid, day }: ScanStation, nodes: readonly TourNode[]): TourNode['picture'] | undefined {
  const node = nodes.find((each) => each.uid === uid);
  return node && [node, ...node.captures].find((each) => each.day === day)?.picture;
}
