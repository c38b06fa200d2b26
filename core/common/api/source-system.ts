import { Type, type Static } from 'typebox';
import { unitBases } from '../coordinates/source-choice.ts';
import { lengthUnits } from '../format/lengths.ts';
import { nullable } from './shapes.ts';

/** A unit in which an imported file counts. */
export type SourceUnit = Static<typeof SourceUnit>;
export const SourceUnit = Type.Object({
  /** `deg`: an angle. `other`: a length that `metres` gives. */
  unit: Type.Enum([...lengthUnits, 'deg', 'other']),
  /** Metres of one unit; null for an angle. */
  metres: nullable(Type.Number()),
  basis: Type.Enum([...unitBases]),
});

/** Unit and coordinate system of an imported file, and what an import made of them. */
export type SourceSystem = Static<typeof SourceSystem>;
export const SourceSystem = Type.Object({
  /** Of x and y. */
  horizontal: SourceUnit,
  /** Of z. */
  vertical: SourceUnit,
  /** What the file says of x and y where a person chose another unit, else null. */
  stated: nullable(SourceUnit),
  /** Name of the coordinate system; null if the file names none. */
  name: nullable(Type.String()),
  epsg: nullable(Type.Integer()),
  /** Name of the surface that heights count from. Never converted. */
  verticalName: nullable(Type.String()),
  /** Where the file says that its origin lies, as it writes it. */
  origin: nullable(Type.String()),
  /** Name of the system that the coordinates were converted to; null if only their unit was. */
  projectedTo: nullable(Type.String()),
});

/** How much of a file was read. */
export type Completeness = Static<typeof Completeness>;
export const Completeness = Type.Object({
  /** Points or elements that the file says it holds. */
  declared: Type.Integer(),
  read: Type.Integer(),
});
