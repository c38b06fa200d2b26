import { Type, type Static } from 'typebox';
import { unitBases } from '../coordinates/source-choice.ts';
import { lengthUnits } from '../format/lengths.ts';
import { nullable } from './shapes.ts';

/** A unit of an imported file. */
export type SourceUnit = Static<typeof SourceUnit>;
export const SourceUnit = Type.Object({
  /** `deg` is an angle. `other` is a length unit that is not in this list; `metres` defines it. */
  unit: Type.Enum([...lengthUnits, 'deg', 'other']),
  /** Metres per unit; null for an angle. */
  metres: nullable(Type.Number()),
  /** Origin of the unit: the file, its format, a person, or an assumption. */
  basis: Type.Enum([...unitBases]),
});

/** Unit and coordinate system of an imported file, and how the import converted them. */
export type SourceSystem = Static<typeof SourceSystem>;
export const SourceSystem = Type.Object({
  /** Unit of x and y. */
  horizontal: SourceUnit,
  /** Unit of z. */
  vertical: SourceUnit,
  /** The file's own unit of x and y if a person replaced it, else null. */
  stated: nullable(SourceUnit),
  /** Name of the coordinate system; null if the file names none. */
  name: nullable(Type.String()),
  epsg: nullable(Type.Integer()),
  /** Name of the vertical datum. Heights are never converted to another datum. */
  verticalName: nullable(Type.String()),
  /** The file's stated origin, verbatim. */
  origin: nullable(Type.String()),
  /** Name of the target system of the conversion; null if only the unit was converted. */
  projectedTo: nullable(Type.String()),
});

/** The declared and the read number of points or elements of a file. */
export type Completeness = Static<typeof Completeness>;
export const Completeness = Type.Object({
  /** Number of points or elements that the file claims to contain. */
  declared: Type.Integer(),
  /** The number of points or elements that were read. */
  read: Type.Integer(),
});
