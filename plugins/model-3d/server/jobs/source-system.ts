import { findLengthUnit, metresPer, type LengthUnit } from '#core';
import type { SourceSystem, SourceUnit } from '#core/api';
import type { ModelReport } from '../../contract/index.ts';

/** Unit and georeference that an IFC file states. Other formats state none. */
export interface StatedIfcSystem {
  /** The length of the unit in metres. */
  readonly metres: number | null;
  readonly name: string | null;
  readonly verticalName: string | null;
  readonly origin: string | null;
}

/** Returns the unit and coordinate system of a model. glTF and 3D Tiles are in metres by their standards. */
export function toSourceSystem(
  source: ModelReport['source'],
  { metres, name, verticalName, origin }: StatedIfcSystem,
  chosenUnit: LengthUnit | undefined,
): SourceSystem {
  const statedUnit = metres === null ? undefined : toUnit(metres);
  const fileUnit: SourceUnit =
    source === 'IFC'
      ? (statedUnit ?? { unit: 'm', metres: 1, basis: 'ASSUMED' })
      : { unit: 'm', metres: 1, basis: 'FORMAT' };
  const unit: SourceUnit =
    chosenUnit === undefined ? fileUnit : { unit: chosenUnit, metres: metresPer[chosenUnit], basis: 'PERSON' };
  const code = /^EPSG:\s*(\d{4,5})$/i.exec(name ?? '')?.[1];
  return {
    horizontal: unit,
    vertical: unit,
    // The unit of the file is reported only if the chosen unit replaces another one.
    stated: chosenUnit === undefined || fileUnit.basis === 'ASSUMED' || fileUnit.unit === chosenUnit ? null : fileUnit,
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
