import proj4 from 'proj4';
import { normalizePan, type SiteFrame } from '#core';
import { ScanUnreadable } from '../scan-unreadable.ts';
import type { PointBatch, PointSource } from '../point-source.ts';
import { findEpsgDefinition } from './epsg-definition.ts';
import type { ResolvedSystem } from './resolve-system.ts';
import type { StatedSystem } from './stated-system.ts';

type Convert = (x: number, y: number, z: number) => readonly [number, number, number];

/** A conversion of positions to metres, and the name of the resulting coordinate system. */
export interface ToMetres {
  /** Undefined if the positions are already in metres. */
  readonly convert: Convert | undefined;
  readonly projectedTo: string | null;
}

/** Converts positions whose coordinates are lengths. */
export function scaleToMetres({ scale: [horizontal, vertical] }: ResolvedSystem): ToMetres {
  return {
    convert:
      horizontal === 1 && vertical === 1 ? undefined : (x, y, z) => [x * horizontal, y * horizontal, z * vertical],
    projectedTo: null,
  };
}

/**
 * Projects positions to the coordinate system of the site, or else to the UTM zone of the file's origin. Throws
 * `ScanUnreadable` if the file's system is unknown.
 */
export async function projectToMetres(
  source: PointSource,
  statedSystem: StatedSystem,
  { scale: [, vertical] }: ResolvedSystem,
  frame: Pick<SiteFrame, 'crs'>,
): Promise<ToMetres> {
  const definition = await findDefinition(statedSystem);
  const { bounds } = source;
  if (definition === undefined || bounds === undefined) throw createUnknownSystemError(statedSystem);
  try {
    const isGeocentric = statedSystem.kind === 'GEOCENTRIC';
    const degreesPerUnit = statedSystem.unit?.kind === 'angle' ? (statedSystem.unit.radians * 180) / Math.PI : 1;
    const input = (x: number, y: number, z: number): number[] => [
      x * degreesPerUnit,
      y * degreesPerUnit,
      isGeocentric ? z : 0,
    ];
    const corner = input(...bounds.minimum);
    const [east, north] = proj4(definition, 'WGS84').forward(corner) as [number, number];
    const target = await findTarget(frame, east, north);
    const projection = proj4(definition, target.proj4);
    const convert: Convert = (x, y, z) => {
      const [a, b, c] = projection.forward(input(x, y, z)) as [number, number, number];
      return [a * target.metres, b * target.metres, isGeocentric ? c : z * vertical];
    };
    if (!convert(...bounds.minimum).every(Number.isFinite)) throw createUnknownSystemError(statedSystem);
    return { convert, projectedTo: target.name };
  } catch (error) {
    throw error instanceof ScanUnreadable ? error : createUnknownSystemError(statedSystem, error);
  }
}

const createUnknownSystemError = (statedSystem: StatedSystem, cause?: unknown): ScanUnreadable =>
  new ScanUnreadable('scan.refused.systemUnknown', { system: statedSystem.name ?? '?' }, { cause });

async function findDefinition(statedSystem: StatedSystem): Promise<string | undefined> {
  const definition = statedSystem.epsg === undefined ? undefined : (await findEpsgDefinition(statedSystem.epsg))?.proj4;
  if (definition) return definition;
  return statedSystem.kind === 'GEOCENTRIC' ? '+proj=geocent +datum=WGS84 +units=m +no_defs' : statedSystem.wkt;
}

interface Target {
  readonly name: string;
  readonly proj4: string;
  /** Metres per unit of its coordinates. */
  readonly metres: number;
}

async function findTarget({ crs }: Pick<SiteFrame, 'crs'>, east: number, north: number): Promise<Target> {
  const siteDefinition = crs === 'local' ? undefined : await findEpsgDefinition(crs);
  if (siteDefinition?.proj4 && siteDefinition.unit?.kind === 'length')
    return {
      name: `${siteDefinition.name} (EPSG:${crs})`,
      proj4: siteDefinition.proj4,
      metres: siteDefinition.unit.metres,
    };
  if (!Number.isFinite(east + north) || Math.abs(north) > 84) throw new ScanUnreadable('scan.refused.outsideUtm');
  const zone = Math.floor(normalizePan(east + 180) / 6) + 1;
  const south = north < 0;
  return {
    name: `WGS 84 / UTM zone ${zone}${south ? 'S' : 'N'} (EPSG:${(south ? 32_700 : 32_600) + zone})`,
    proj4: `+proj=utm +zone=${zone}${south ? ' +south' : ''} +datum=WGS84 +units=m +no_defs`,
    metres: 1,
  };
}

/** Yields the points of a file in metres. */
export async function* convertPoints(
  batches: AsyncIterable<PointBatch>,
  { convert }: ToMetres,
): AsyncGenerator<PointBatch> {
  if (convert === undefined) {
    yield* batches;
    return;
  }
  for await (const batch of batches) {
    const positions = new Float64Array(batch.count * 3);
    for (let k = 0; k < batch.count; k++)
      positions.set(convert(batch.positions[3 * k]!, batch.positions[3 * k + 1]!, batch.positions[3 * k + 2]!), 3 * k);
    yield { ...batch, positions };
  }
}
