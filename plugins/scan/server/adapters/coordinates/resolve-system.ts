import { findLengthUnit, metresPer, type SourceChoice, type UnitBasis } from '#core';
import type { SourceSystem, SourceUnit } from '#core/api';
import type { UnmeasurableKind } from '../../../contract/index.ts';
import { ScanUnreadable } from '../scan-unreadable.ts';
import { findEpsgDefinition } from './epsg-definition.ts';
import { metre, type StatedSystem, type StatedUnit } from './stated-system.ts';
import type { PointFormat } from '../point-source.ts';

const webMercator: ReadonlySet<number> = new Set([3857, 3785, 900_913, 102_100, 102_113]);

/** Why coordinates of a system cannot be used for measuring; undefined if they are lengths. */
export function findUnmeasurable(stated: StatedSystem | undefined): UnmeasurableKind | undefined {
  if (stated === undefined) return undefined;
  if (stated.kind === 'GEOCENTRIC') return 'GEOCENTRIC';
  if (stated.kind === 'GEOGRAPHIC' || stated.unit?.kind === 'angle') return 'DEGREES';
  const isMercator = (stated.epsg !== undefined && webMercator.has(stated.epsg)) || isPseudoMercator(stated.name);
  return isMercator ? 'WEB_MERCATOR' : undefined;
}

const isPseudoMercator = (name: string | undefined): boolean =>
  name !== undefined && /pseudo.?mercator|web.?mercator|popular visualisation/i.test(name);

/** Completes the stated system from the EPSG registry, such as a missing unit. */
export async function completeSystem(stated: StatedSystem | undefined): Promise<StatedSystem | undefined> {
  if (stated === undefined) return undefined;
  const flat = stated.epsg === undefined ? undefined : await findEpsgDefinition(stated.epsg);
  const up = stated.verticalEpsg === undefined ? undefined : await findEpsgDefinition(stated.verticalEpsg);
  return {
    ...stated,
    unit: stated.unit ?? flat?.unit,
    name: stated.name ?? flat?.name,
    verticalUnit: stated.verticalUnit ?? up?.unit,
    verticalName: stated.verticalName ?? up?.name,
  };
}

/** The conversion of the coordinates of one file to metres. */
export interface ResolvedSystem {
  readonly system: SourceSystem;
  /** Metres per unit of x and y, and of z. Ignored if `project` is true. */
  readonly scale: readonly [flat: number, up: number];
  readonly project: boolean;
}

/**
 * Determines the conversion from the complete `stated` system and the person's choice. Throws `ScanUnreadable` if the
 * coordinates are not lengths and the person made no choice.
 */
export function resolveSystem(
  format: PointFormat,
  stated: StatedSystem | undefined,
  choice: SourceChoice,
): ResolvedSystem {
  const unmeasurable = findUnmeasurable(stated);
  if (format === 'E57' && (choice === 'FILE' || choice === 'PROJECT')) return e57(stated, unmeasurable);
  if (choice === 'PROJECT') {
    if (stated === undefined) throw new ScanUnreadable('scan.refused.noSystem');
    return resolved(stated, toSourceUnit(stated.unit ?? metre, 'FILE'), upwardUnit(stated), { project: true });
  }
  if (choice !== 'FILE') {
    const chosen: SourceUnit = { unit: choice, metres: metresPer[choice], basis: 'PERSON' };
    const fileUnit = stated?.unit && toSourceUnit(stated.unit, 'FILE');
    return resolved(stated, chosen, chosen, { stated: fileUnit && fileUnit.unit !== choice ? fileUnit : undefined });
  }
  const name = stated?.name ?? '?';
  if (unmeasurable === 'DEGREES') throw new ScanUnreadable('scan.refused.degrees', { system: name });
  if (unmeasurable === 'WEB_MERCATOR') throw new ScanUnreadable('scan.refused.webMercator', { system: name });
  if (unmeasurable === 'GEOCENTRIC') throw new ScanUnreadable('scan.refused.geocentric', { system: name });
  if (stated?.unit === undefined) {
    const assumed = toSourceUnit(metre, 'ASSUMED');
    return resolved(stated, assumed, stated?.verticalUnit ? upwardUnit(stated) : assumed);
  }
  return resolved(stated, toSourceUnit(stated.unit, 'FILE'), upwardUnit(stated));
}

/** The E57 standard (ASTM E2807) prescribes metres; a coordinate system in another unit contradicts it. */
function e57(stated: StatedSystem | undefined, unmeasurable: UnmeasurableKind | undefined): ResolvedSystem {
  const unit = stated?.unit;
  if (unmeasurable !== undefined || (unit?.kind === 'length' && unit.metres !== 1))
    throw new ScanUnreadable('scan.refused.e57Unit', { system: stated?.name ?? '?' });
  const fixed = toSourceUnit(metre, 'FORMAT');
  return resolved(stated, fixed, fixed);
}

function resolved(
  stated: StatedSystem | undefined,
  horizontal: SourceUnit,
  vertical: SourceUnit,
  options: { readonly project?: boolean; readonly stated?: SourceUnit | undefined } = {},
): ResolvedSystem {
  return {
    system: {
      horizontal,
      vertical,
      stated: options.stated ?? null,
      name: stated?.name ?? null,
      epsg: stated?.epsg ?? null,
      verticalName: stated?.verticalName ?? null,
      origin: null,
      projectedTo: null,
    },
    scale: [horizontal.metres ?? 1, vertical.metres ?? 1],
    project: options.project ?? false,
  };
}

/** Heights without a unit use the unit of x and y, or metres if that is degrees. Both are assumptions. */
export function upwardUnit({ unit, verticalUnit }: StatedSystem): SourceUnit {
  if (verticalUnit?.kind === 'length') return toSourceUnit(verticalUnit, 'FILE');
  return toSourceUnit(unit?.kind === 'length' ? unit : metre, 'ASSUMED');
}

export function toSourceUnit(unit: StatedUnit, basis: UnitBasis): SourceUnit {
  return unit.kind === 'angle'
    ? { unit: 'deg', metres: null, basis }
    : exact(findLengthUnit(unit.metres), unit.metres, basis);
}

/** Replaces a rounded factor in a file by the exact factor of the known unit. */
const exact = (unit: ReturnType<typeof findLengthUnit>, metres: number, basis: UnitBasis): SourceUnit =>
  unit === undefined ? { unit: 'other', metres, basis } : { unit, metres: metresPer[unit], basis };
