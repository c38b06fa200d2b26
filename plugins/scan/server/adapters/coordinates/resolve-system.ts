import { findLengthUnit, metresPer, type SourceChoice, type UnitBasis } from '#core';
import type { SourceSystem, SourceUnit } from '#core/api';
import type { UnmeasurableKind } from '../../../contract/index.ts';
import { ScanUnreadable } from '../scan-unreadable.ts';
import { findEpsgDefinition } from './epsg-definition.ts';
import { metre, type StatedSystem, type StatedUnit } from './stated-system.ts';
import type { PointFormat } from '../point-source.ts';

const webMercator: ReadonlySet<number> = new Set([3857, 3785, 900_913, 102_100, 102_113]);

/** Why the numbers of a system are not measured in; undefined where they are lengths. */
export function findUnmeasurable(stated: StatedSystem | undefined): UnmeasurableKind | undefined {
  if (stated === undefined) return undefined;
  if (stated.kind === 'GEOCENTRIC') return 'GEOCENTRIC';
  if (stated.kind === 'GEOGRAPHIC' || stated.unit?.kind === 'angle') return 'DEGREES';
  const isMercator = (stated.epsg !== undefined && webMercator.has(stated.epsg)) || isPseudoMercator(stated.name);
  return isMercator ? 'WEB_MERCATOR' : undefined;
}

const isPseudoMercator = (name: string | undefined): boolean =>
  name !== undefined && /pseudo.?mercator|web.?mercator|popular visualisation/i.test(name);

/** Completes what a file states by the EPSG register: a code without a unit still has one. */
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

/** How the numbers of one file become metres. */
export interface ResolvedSystem {
  readonly system: SourceSystem;
  /** Metres of one unit of x and y, and of z. Without effect where `project` is true. */
  readonly scale: readonly [flat: number, up: number];
  readonly project: boolean;
}

/**
 * What the numbers of a file mean, by what it states and what the person chose. Throws `ScanUnreadable` where they are
 * no lengths and nobody chose what they are. `stated` is complete.
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
    const said = stated?.unit && toSourceUnit(stated.unit, 'FILE');
    return resolved(stated, chosen, chosen, { stated: said && said.unit !== choice ? said : undefined });
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

/** E57 counts in metres by its standard (ASTM E2807); a coordinate system of another unit contradicts it. */
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
  more: { readonly project?: boolean; readonly stated?: SourceUnit | undefined } = {},
): ResolvedSystem {
  return {
    system: {
      horizontal,
      vertical,
      stated: more.stated ?? null,
      name: stated?.name ?? null,
      epsg: stated?.epsg ?? null,
      verticalName: stated?.verticalName ?? null,
      origin: null,
      projectedTo: null,
    },
    scale: [horizontal.metres ?? 1, vertical.metres ?? 1],
    project: more.project ?? false,
  };
}

/** Heights without a unit count as x and y do, or in metres beside degrees; both are assumptions. */
export function upwardUnit({ unit, verticalUnit }: StatedSystem): SourceUnit {
  if (verticalUnit?.kind === 'length') return toSourceUnit(verticalUnit, 'FILE');
  return toSourceUnit(unit?.kind === 'length' ? unit : metre, 'ASSUMED');
}

export function toSourceUnit(unit: StatedUnit, basis: UnitBasis): SourceUnit {
  return unit.kind === 'angle'
    ? { unit: 'deg', metres: null, basis }
    : exact(findLengthUnit(unit.metres), unit.metres, basis);
}

/** A file that rounds the factor of a known unit means the unit. */
const exact = (unit: ReturnType<typeof findLengthUnit>, metres: number, basis: UnitBasis): SourceUnit =>
  unit === undefined ? { unit: 'other', metres, basis } : { unit, metres: metresPer[unit], basis };
