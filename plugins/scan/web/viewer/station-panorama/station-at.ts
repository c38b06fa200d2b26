import { distanceBetween, type Point3 } from '#core';
import type { PanoramaPicture, TourNode } from '#plugins/tour';
import type { ScanStation } from '../../../contract/api.ts';
import { weightedMetres } from '../../../contract/values/station-links.ts';

/** Maximum distance at which the eye is at a station or a node. */
const stationRadiusMetres = 0.05;
/** Maximum distance of an unlinked station from its node, measured by `weightedMetres`. */
const maxUnlinkedMetres = 10;
/** Stations at most this much farther than the nearest one are at the same position, by `weightedMetres`. */
const samePositionMetres = 0.5;

/**
 * Finds the station to show for a node and an eye position: the nearest station linked to the node, else the nearest
 * unlinked one within 10 m. If the person has left the node, a station at the eye comes first. Of several stations at
 * one position, finds the newest.
 */
export function stationAt(stations: readonly ScanStation[], node: TourNode, eye: Point3): ScanStation | undefined {
  const isAwayFromNode = distanceBetween(eye, node.position) > stationRadiusMetres;
  const stationsAtEye = isAwayFromNode
    ? stations.filter((station) => distanceBetween(station.position, eye) <= stationRadiusMetres)
    : [];
  const linkedStations = stations.filter((station) => station.node === node.uid);
  const unlinkedStations = stations.filter(
    (station) =>
      station.node === null &&
      station.linkMode === 'NEAREST' &&
      weightedMetres(station.position, node.position) <= maxUnlinkedMetres,
  );
  return (
    findNewestNear(stationsAtEye, eye) ??
    findNewestNear(linkedStations, node.position) ??
    findNewestNear(unlinkedStations, node.position)
  );
}

function findNewestNear(stations: readonly ScanStation[], position: Point3): ScanStation | undefined {
  const nearest = Math.min(...stations.map((station) => weightedMetres(station.position, position)));
  return stations
    .filter((station) => weightedMetres(station.position, position) <= nearest + samePositionMetres)
    .toSorted(
      (a, b) =>
        Date.parse(b.capturedAt) - Date.parse(a.capturedAt) ||
        weightedMetres(a.position, position) - weightedMetres(b.position, position),
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

/** Finds the panorama taken at the station's node on the day of the scan. On other days the heading may differ. */
function findSameDayPicture(
  { node: uid, day }: ScanStation,
  nodes: readonly TourNode[],
): TourNode['picture'] | undefined {
  const node = nodes.find((candidate) => candidate.uid === uid);
  return node && [node, ...node.captures].find((capture) => capture.day === day)?.picture;
}
