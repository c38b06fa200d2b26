import type { ToGeographic } from '#core/server';
import type { Items } from './item-record.ts';

type Item = Items['annotations'][number] | Items['measurements'][number];

/** Kinds whose points are the corners of an area. */
const areas: ReadonlySet<string> = new Set(['RECTANGLE', 'ELLIPSE', 'AREA']);

/** @see RFC 7946: longitude, latitude (WGS 84) and height; rings are closed. Heights keep the datum of the site. */
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

function toGeometry(kind: string, places: readonly (readonly number[])[]): object {
  const [first] = places;
  if (places.length <= 1 || !first) return { type: 'Point', coordinates: first ?? [] };
  return areas.has(kind) && places.length > 2
    ? { type: 'Polygon', coordinates: [[...places, first]] }
    : { type: 'LineString', coordinates: places };
}
