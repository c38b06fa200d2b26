import { Type, type Static } from 'typebox';
import { unitBases } from '../coordinates/source-choice.ts';
import { lengthUnits } from '../format/lengths.ts';
import { nullable } from './shapes.ts';

/** A unit of an imported file. */
export type SourceUnit = Static<typeof SourceUnit>;
export const SourceUnit = Type.Object({
  /** `deg`: an angle. `other`: a length given by `metres`. */
  unit: Type.Enum([...lengthUnits, 'deg', 'other']),
  /** Metres per unit; null for an angle. */
  metres: nullable(Type.Number()),
  basis: Type.Enum([...unitBases]),
});

/** Unit and coordinate system of an imported file, and the import's conversion. */
export type SourceSystem = Static<typeof SourceSystem>;
export const SourceSystem = Type.Object({
  /** Unit of x and y. */
  horizontal: SourceUnit,
  /** Unit of z. */
  vertical: SourceUnit,
  /** The file's unit of x and y if a person chose another one, else null. */
  stated: nullable(SourceUnit),
  /** Name of the coordinate system; null if the file names none. */
  name: nullable(Type.String()),
  epsg: nullable(Type.Integer()),
  /** Vertical datum by name. Never converted. */
  verticalName: nullable(Type.String()),
  /** The file's stated origin, verbatim. */
  origin: nullable(Type.String()),
  /** Name of the target system of the conversion; null if only the unit was converted. */
  projectedTo: nullable(Type.String()),
});

/** The extent to which a file was read. */
export type Completeness = Static<typeof Completeness>;
export const Completeness = Type.Object({
  /** Points or elements according to the file. */
  declared: Type.Integer(),
  read: Type.Integer(),
});
