import { findLengthUnit, metresPer, type SourceChoice, type UnitBasis } from '#core';
import type { SourceSystem, SourceUnit } from '#core/api';
import type { UnmeasurableKind } from '../../../contract/index.ts';
import { ScanUnreadable } from '../scan-unreadable.ts';
import { findEpsgDefinition } from './epsg-definition.ts';
import { metre, type StatedSystem, type StatedUnit } from './stated-system.ts';
import type { PointFormat } from '../point-source.ts';

const webMercatorCodes: ReadonlySet<number> = new Set([3857, 3785, 900_913, 102_100, 102_113]);

/** Returns why the coordinates of a system cannot be used for measuring. Undefined if they are lengths. */
export function findUnmeasurable(statedSystem: StatedSystem | undefined): UnmeasurableKind | undefined {
  if (statedSystem === undefined) return undefined;
  if (statedSystem.kind === 'GEOCENTRIC') return 'GEOCENTRIC';
  if (statedSystem.kind === 'GEOGRAPHIC' || statedSystem.unit?.kind === 'angle') return 'DEGREES';
  const isMercator =
    (statedSystem.epsg !== undefined && webMercatorCodes.has(statedSystem.epsg)) || isPseudoMercator(statedSystem.name);
  return isMercator ? 'WEB_MERCATOR' : undefined;
}

const isPseudoMercator = (name: string | undefined): boolean =>
  name !== undefined && /pseudo.?mercator|web.?mercator|popular visualisation/i.test(name);

/** Completes the stated system from the EPSG registry, such as a missing unit. */
export async function completeSystem(statedSystem: StatedSystem | undefined): Promise<StatedSystem | undefined> {
  if (statedSystem === undefined) return undefined;
  const horizontal = statedSystem.epsg === undefined ? undefined : await findEpsgDefinition(statedSystem.epsg);
  const vertical =
    statedSystem.verticalEpsg === undefined ? undefined : await findEpsgDefinition(statedSystem.verticalEpsg);
  return {
    ...statedSystem,
    unit: statedSystem.unit ?? horizontal?.unit,
    name: statedSystem.name ?? horizontal?.name,
    verticalUnit: statedSystem.verticalUnit ?? vertical?.unit,
    verticalName: statedSystem.verticalName ?? vertical?.name,
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
 * Determines the conversion from the complete `statedSystem` and the person's choice. Throws `ScanUnreadable` if the
 * coordinates are not lengths and the person made no choice.
 */
export function resolveSystem(
  format: PointFormat,
  statedSystem: StatedSystem | undefined,
  choice: SourceChoice,
): ResolvedSystem {
  const unmeasurable = findUnmeasurable(statedSystem);
  if (format === 'E57' && (choice === 'FILE' || choice === 'PROJECT')) return resolveE57(statedSystem, unmeasurable);
  if (choice === 'PROJECT') {
    if (statedSystem === undefined) throw new ScanUnreadable('scan.refused.noSystem');
    return toResolvedSystem(
      statedSystem,
      toSourceUnit(statedSystem.unit ?? metre, 'FILE'),
      toVerticalUnit(statedSystem),
      {
        needsProjection: true,
      },
    );
  }
  if (choice !== 'FILE') {
    const chosenUnit: SourceUnit = { unit: choice, metres: metresPer[choice], basis: 'PERSON' };
    const fileUnit = statedSystem?.unit && toSourceUnit(statedSystem.unit, 'FILE');
    const overriddenUnit = fileUnit && fileUnit.unit !== choice ? fileUnit : undefined;
    return toResolvedSystem(statedSystem, chosenUnit, chosenUnit, { overriddenUnit });
  }
  const name = statedSystem?.name ?? '?';
  if (unmeasurable === 'DEGREES') throw new ScanUnreadable('scan.refused.degrees', { system: name });
  if (unmeasurable === 'WEB_MERCATOR') throw new ScanUnreadable('scan.refused.webMercator', { system: name });
  if (unmeasurable === 'GEOCENTRIC') throw new ScanUnreadable('scan.refused.geocentric', { system: name });
  if (statedSystem?.unit === undefined) {
    const assumedUnit = toSourceUnit(metre, 'ASSUMED');
    return toResolvedSystem(
      statedSystem,
      assumedUnit,
      statedSystem?.verticalUnit ? toVerticalUnit(statedSystem) : assumedUnit,
    );
  }
  return toResolvedSystem(statedSystem, toSourceUnit(statedSystem.unit, 'FILE'), toVerticalUnit(statedSystem));
}

/** The E57 standard (ASTM E2807) prescribes metres; a coordinate system in another unit contradicts it. */
function resolveE57(
  statedSystem: StatedSystem | undefined,
  unmeasurable: UnmeasurableKind | undefined,
): ResolvedSystem {
  const unit = statedSystem?.unit;
  if (unmeasurable !== undefined || (unit?.kind === 'length' && unit.metres !== 1))
    throw new ScanUnreadable('scan.refused.e57Unit', { system: statedSystem?.name ?? '?' });
  const fixedUnit = toSourceUnit(metre, 'FORMAT');
  return toResolvedSystem(statedSystem, fixedUnit, fixedUnit);
}

function toResolvedSystem(
  statedSystem: StatedSystem | undefined,
  horizontal: SourceUnit,
  vertical: SourceUnit,
  options: { readonly needsProjection?: boolean; readonly overriddenUnit?: SourceUnit | undefined } = {},
): ResolvedSystem {
  return {
    system: {
      horizontal,
      vertical,
      stated: options.overriddenUnit ?? null,
      name: statedSystem?.name ?? null,
      epsg: statedSystem?.epsg ?? null,
      verticalName: statedSystem?.verticalName ?? null,
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
