import { distanceBetween, type Point3 } from '#core';
import type { PanoramaPicture, TourNode } from '#plugins/tour';
import type { ScanStation } from '../../../contract/api.ts';
import { weightedMetres } from '../../../contract/values/station-links.ts';

/** Maximum distance in metres between the eye and the station that it is at. */
const stationRadiusMetres = 0.05;
/** Maximum distance of an unlinked station from its node, in `weightedMetres`. */
const maxUnlinkedMetres = 10;
/** Stations that are at most this much farther than the nearest are one place, in `weightedMetres`. */
const samePlaceMetres = 0.5;

/**
 * Finds the station to show for a node and an eye position, in this order: a station at the eye if the eye has left the
 * node; the nearest station linked to the node; the nearest unlinked one within 10 m. The newest at a place wins.
 */
export function stationAt(stations: readonly ScanStation[], node: TourNode, eye: Point3): ScanStation | undefined {
  const away = distanceBetween(eye, node.position) > stationRadiusMetres;
  const here = stations.filter(({ position }) => away && distanceBetween(position, eye) <= stationRadiusMetres);
  const own = stations.filter((station) => station.node === node.uid);
  const free = stations.filter(
    (station) =>
      station.node === null &&
      station.link === 'NEAREST' &&
      weightedMetres(station.position, node.position) <= maxUnlinkedMetres,
  );
  return newestNear(here, eye) ?? newestNear(own, node.position) ?? newestNear(free, node.position);
}

function newestNear(stations: readonly ScanStation[], place: Point3): ScanStation | undefined {
  const nearest = Math.min(...stations.map(({ position }) => weightedMetres(position, place)));
  return stations
    .filter(({ position }) => weightedMetres(position, place) <= nearest + samePlaceMetres)
    .toSorted(
      (a, b) =>
        Date.parse(b.capturedAt) - Date.parse(a.capturedAt) ||
        weightedMetres(a.position, place) - weightedMetres(b.position, place),
    )[0];
}

/** The station's panorama; undefined until its tiles exist. */
export function toPicture(station: ScanStation, nodes: readonly TourNode[]): PanoramaPicture | undefined {
  const tiles = station.picture ?? findSameDayPicture(station, nodes) ?? null;
  if (tiles === null) return undefined;
  return {
    tiles,
    heading: station.heading,
    position: station.position,
    ...(station.ranges === null ? {} : { ranges: station.ranges }),
  };
}

/** The panorama of the station's node from the day of the scan. One of another day may have another heading. */
function findSameDayPicture(
  { node: uid, day }: ScanStation,
  nodes: readonly TourNode[],
): TourNode['picture'] | undefined {
  const node = nodes.find((each) => each.uid === uid);
  return node && [node, ...node.captures].find((each) => each.day === day)?.picture;
}
