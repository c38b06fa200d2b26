import { findLengthUnit, metresPer, type SourceChoice, type UnitBasis } from '#core';
import type { SourceSystem, SourceUnit } from '#core/api';
import type { UnmeasurableKind } from '../../../contract/index.ts';
import { ScanUnreadable } from '../scan-unreadable.ts';
import { findEpsgDefinition } from './epsg-definition.ts';
import { metre, type StatedSystem, type StatedUnit } from './stated-system.ts';
import type { PointFormat } from '../point-source.ts';

const webMercator: ReadonlySet<number> = new Set([3857, 3785, 900_913, 102_100, 102_113]);

/** Returns the reason for which coordinates of a system cannot be used for measuring. Undefined if they are lengths. */
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
  const horizontal = stated.epsg === undefined ? undefined : await findEpsgDefinition(stated.epsg);
  const vertical = stated.verticalEpsg === undefined ? undefined : await findEpsgDefinition(stated.verticalEpsg);
  return {
    ...stated,
    unit: stated.unit ?? horizontal?.unit,
    name: stated.name ?? horizontal?.name,
    verticalUnit: stated.verticalUnit ?? vertical?.unit,
    verticalName: stated.verticalName ?? vertical?.name,
  };
}

/** The conversion of the coordinates of one file to metres. */
export interface ResolvedSystem {
  readonly system: SourceSystem;
  /** Metres per unit of x and y, and of z. Ignored if `needsProjection` is true. */
  readonly scale: readonly [horizontal: number, vertical: number];
  readonly needsProjection: boolean;
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
  if (format === 'E57' && (choice === 'FILE' || choice === 'PROJECT')) return resolveE57(stated, unmeasurable);
  if (choice === 'PROJECT') {
    if (stated === undefined) throw new ScanUnreadable('scan.refused.noSystem');
    return toResolvedSystem(stated, toSourceUnit(stated.unit ?? metre, 'FILE'), toVerticalUnit(stated), {
      needsProjection: true,
    });
  }
  if (choice !== 'FILE') {
    const chosen: SourceUnit = { unit: choice, metres: metresPer[choice], basis: 'PERSON' };
    const fileUnit = stated?.unit && toSourceUnit(stated.unit, 'FILE');
    const overriddenUnit = fileUnit && fileUnit.unit !== choice ? fileUnit : undefined;
    return toResolvedSystem(stated, chosen, chosen, { overriddenUnit });
  }
  const name = stated?.name ?? '?';
  if (unmeasurable === 'DEGREES') throw new ScanUnreadable('scan.refused.degrees', { system: name });
  if (unmeasurable === 'WEB_MERCATOR') throw new ScanUnreadable('scan.refused.webMercator', { system: name });
  if (unmeasurable === 'GEOCENTRIC') throw new ScanUnreadable('scan.refused.geocentric', { system: name });
  if (stated?.unit === undefined) {
    const assumed = toSourceUnit(metre, 'ASSUMED');
    return toResolvedSystem(stated, assumed, stated?.verticalUnit ? toVerticalUnit(stated) : assumed);
  }
  return toResolvedSystem(stated, toSourceUnit(stated.unit, 'FILE'), toVerticalUnit(stated));
}

/** The E57 standard (ASTM E2807) prescribes metres; a coordinate system in another unit contradicts it. */
function resolveE57(stated: StatedSystem | undefined, unmeasurable: UnmeasurableKind | undefined): ResolvedSystem {
  const unit = stated?.unit;
  if (unmeasurable !== undefined || (unit?.kind === 'length' && unit.metres !== 1))
    throw new ScanUnreadable('scan.refused.e57Unit', { system: stated?.name ?? '?' });
  const fixed = toSourceUnit(metre, 'FORMAT');
  return toResolvedSystem(stated, fixed, fixed);
}

function toResolvedSystem(
  stated: StatedSystem | undefined,
  horizontal: SourceUnit,
  vertical: SourceUnit,
  options: { readonly needsProjection?: boolean; readonly overriddenUnit?: SourceUnit | undefined } = {},
): ResolvedSystem {
  return {
    system: {
      horizontal,
      vertical,
      stated: options.overriddenUnit ?? null,
      name: stated?.name ?? null,
      epsg: stated?.epsg ?? null,
      verticalName: stated?.verticalName ?? null,
      origin: null,
      projectedTo: null,
    },
    scale: [horizontal.metres ?? 1, vertical.metres ?? 1],
    needsProjection: options.needsProjection ?? false,
  };
}

/** Heights without a unit use the unit of x and y, or metres if that is degrees. Both are assumptions. */
export function toVerticalUnit({ unit, verticalUnit }: StatedSystem): SourceUnit {
  if (verticalUnit?.kind === 'length') return toSourceUnit(verticalUnit, 'FILE');
  return toSourceUnit(unit?.kind === 'length' ? unit : metre, 'ASSUMED');
}

export function toSourceUnit(unit: StatedUnit, basis: UnitBasis): SourceUnit {
  return unit.kind === 'angle'
    ? { unit: 'deg', metres: null, basis }
    : toExactUnit(findLengthUnit(unit.metres), unit.metres, basis);
}

/** Replaces a rounded factor in a file by the exact factor of the known unit. */
const toExactUnit = (unit: ReturnType<typeof findLengthUnit>, metres: number, basis: UnitBasis): SourceUnit =>
  unit === undefined ? { unit: 'other', metres, basis } : { unit, metres: metresPer[unit], basis };
