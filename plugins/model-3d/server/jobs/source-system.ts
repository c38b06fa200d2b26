import { findLengthUnit, metresPer, type LengthUnit } from '#core';
import type { SourceSystem, SourceUnit } from '#core/api';
import type { ModelReport } from '../../contract/index.ts';

/** Unit and georeference of an IFC file; other formats state none. */
export interface StatedIfcSystem {
  /** Metres per unit of length. */
  readonly metres: number | null;
  readonly name: string | null;
  readonly verticalName: string | null;
  readonly origin: string | null;
}

/** Unit and coordinate system of a model. glTF and 3D Tiles are in metres by their standards. */
export function toSourceSystem(
  source: ModelReport['source'],
  { metres, name, verticalName, origin }: StatedIfcSystem,
  chosen: LengthUnit | undefined,
): SourceSystem {
  const stated = metres === null ? undefined : toUnit(metres);
  const own: SourceUnit =
    source === 'IFC'
      ? (stated ?? { unit: 'm', metres: 1, basis: 'ASSUMED' })
      : { unit: 'm', metres: 1, basis: 'FORMAT' };
  const unit: SourceUnit = chosen === undefined ? own : { unit: chosen, metres: metresPer[chosen], basis: 'PERSON' };
  const code = /^EPSG:\s*(\d{4,5})$/i.exec(name ?? '')?.[1];
  return {
    horizontal: unit,
    vertical: unit,
    stated: chosen === undefined || own.basis === 'ASSUMED' || own.unit === chosen ? null : own,
    name,
    epsg: code === undefined ? null : Number(code),
    verticalName,
    origin,
    projectedTo: null,
  };
}

function toUnit(metres: number): SourceUnit {
  const unit = findLengthUnit(metres);
  return { unit: unit ?? 'other', metres: unit ? metresPer[unit] : metres, basis: 'FILE' };
}
