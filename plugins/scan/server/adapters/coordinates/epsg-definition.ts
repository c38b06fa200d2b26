import { readEpsgEntry, type EpsgEntry } from '#core/server';
import { degree, metre, type StatedUnit } from './stated-system.ts';

/** A coordinate system of the EPSG registry. */
export interface EpsgDefinition {
  readonly name: string;
  readonly unit: StatedUnit | undefined;
  /** Definition for proj4; null if unknown. */
  readonly proj4: string | null;
}

/** Metres per unit for the unit names of proj4. */
const projUnits: Readonly<Record<string, number>> = {
  m: 1,
  km: 1000,
  ft: 0.3048,
  'us-ft': 1200 / 3937,
  yd: 0.9144,
  'ind-yd': 0.914_398_530_744_44,
  link: 0.201_168,
};

/** Finds a system by its EPSG code in the bundled registry, without network access. */
export async function findEpsgDefinition(code: number): Promise<EpsgDefinition | undefined> {
  const entry = await readEpsgEntry(code);
  return entry && { name: entry.name, unit: findUnit(entry), proj4: entry.proj4 };
}

function findUnit({ proj4, unit }: EpsgEntry): StatedUnit | undefined {
  const text = proj4 ?? '';
  if (/\+proj=longlat/.test(text) || unit?.startsWith('degree')) return degree;
  const factor = /\+v?to_meter=([\d.e+-]+)/.exec(text)?.[1];
  const metres = factor === undefined ? projUnits[/\+v?units=(\S+)/.exec(text)?.[1] ?? ''] : Number(factor);
  if (metres === undefined) return unit === 'metre' ? metre : undefined;
  return metres === 1 ? metre : { kind: 'length', metres };
}
