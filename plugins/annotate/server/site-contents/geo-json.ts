import type { ToGeographic } from '#core/server';
import type { ExportedItems } from './item-record.ts';

type Item = ExportedItems['annotations'][number] | ExportedItems['measurements'][number];

/** Kinds whose points are the corners of an area. */
const areaKinds: ReadonlySet<string> = new Set(['RECTANGLE', 'ELLIPSE', 'AREA']);

/**
 * Converts items to GeoJSON features with longitude, latitude (WGS 84) and height. Rings are closed, and heights keep
 * the datum of the site.
 *
 * @see RFC 7946
 */
export function toFeatures(items: readonly Item[], toGeographic: ToGeographic): object {
  return {
    type: 'FeatureCollection',
    features: items.map(({ points, uid, name, kind, author, createdAt, ...item }) => ({
      type: 'Feature',
      id: uid,
      geometry: toGeometry(
        kind,
        points.map(({ point }) => toGeographic(point)),
      ),
      properties: {
        name,
        kind,
        author,
        createdAt,
        ...('text' in item ? { text: item.text, status: item.status } : {}),
        site: points.map(({ point }) => point),
      },
    })),
  };
}

function toGeometry(kind: string, positions: readonly (readonly number[])[]): object {
  const [first] = positions;
  if (positions.length <= 1 || !first) return { type: 'Point', coordinates: first ?? [] };
  return areaKinds.has(kind) && positions.length > 2
    ? { type: 'Polygon', coordinates: [[...positions, first]] }
    : { type: 'LineString', coordinates: positions };
}
