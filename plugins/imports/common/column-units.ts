import { fromMetres, isLengthUnit, parseUnit, splitHeaderUnit, toMetres, type LengthUnit, type SiteUnit } from '#core';
import type { ImportColumn } from '../contract/index.ts';
import { fold } from './check-value.ts';

/** The unit of length of a header. Undefined if it has none. */
export function findLengthUnit(header: string): LengthUnit | undefined {
  const unit = splitHeaderUnit(header)?.unit;
  return isLengthUnit(unit) ? unit : undefined;
}

/** Units whose spellings are not also ordinary words. `in` is such a word. */
const distinctUnits: readonly LengthUnit[] = ['ft', 'ftUS', 'mm', 'cm'];

/** A unit of length that a header mentions before its end, such as `Elev (ft MSL)`. */
const findMentionedUnit = (header: string, siteUnit: SiteUnit | undefined): LengthUnit | undefined =>
  fold(header)
    .split(/[^\p{L}]+/u)
    .map((word) => (word === 'pi' ? undefined : parseUnit(word, siteUnit)))
    .filter(isLengthUnit)
    .find((unit) => distinctUnits.includes(unit));

type UnitColumn = Pick<ImportColumn, 'header' | 'type'>;

/** The unit in which a column of lengths is stored. Undefined for other columns. */
export const findColumnUnit = ({ header, type }: UnitColumn): LengthUnit | undefined =>
  type === 'NUMBER' ? findLengthUnit(header.en) : undefined;

/** The units of a header and of its column if they differ and values cannot be converted. */
export function findUnitConflict(
  header: string,
  column: UnitColumn,
): { readonly unit: string; readonly read: string } | undefined {
  const [unit, read] = [splitHeaderUnit(header)?.unit, splitHeaderUnit(column.header.en)?.unit];
  if (unit === undefined || read === undefined || unit === read) return undefined;
  return findColumnUnit(column) !== undefined && isLengthUnit(unit) ? undefined : { unit, read };
}

/** The header of a column of a file, with what is known about its unit. */
export interface MeasuredHeader {
  readonly header: string;
  /** The unit of length that a person has chosen for this file. */
  readonly unit?: LengthUnit;
  /** The unit of the site's files when the file was read. Missing if it is metres, and for rows of API calls. */
  readonly siteUnit?: SiteUnit;
  /**
   * Whether the column is remembered from a choice that was made without this unit, so that a person must confirm the
   * unit.
   */
  readonly unitUnseen?: boolean;
}

/** How a column of lengths is read. */
export interface UnitReading {
  /** The unit of the file's values. */
  readonly unit: LengthUnit;
  /** The unit in which they are stored, shown and corrected. */
  readonly columnUnit: LengthUnit;
  readonly by: 'HEADER' | 'CHOSEN' | 'SITE' | 'COLUMN';
  /** Whether a person must confirm or change the unit. */
  readonly isOpen: boolean;
}

/**
 * Finds the unit in which a column of lengths is read: the one that a person has chosen for the file, else that of the
 * header, else that of the column, unless the files of the site have another one. Undefined for other columns.
 */
export function findUnitReading(
  { header, unit: chosenUnit, siteUnit, unitUnseen = false }: MeasuredHeader,
  column: UnitColumn,
): UnitReading | undefined {
  const columnUnit = findColumnUnit(column);
  if (columnUnit === undefined) return undefined;
  if (chosenUnit !== undefined) return { unit: chosenUnit, columnUnit, by: 'CHOSEN', isOpen: false };
  const headerUnit = splitHeaderUnit(header)?.unit;
  const isAmbiguousFoot = headerUnit === 'ft' && splitHeaderUnit(header, siteUnit)?.unit === 'ftUS';
  if (siteUnit !== undefined && (isAmbiguousFoot || (headerUnit === undefined && columnUnit === 'm')))
    return { unit: siteUnit, columnUnit, by: 'SITE', isOpen: true };
  const mentionedUnit = headerUnit === undefined ? findMentionedUnit(header, siteUnit) : undefined;
  if (mentionedUnit !== undefined && mentionedUnit !== columnUnit)
    return { unit: mentionedUnit, columnUnit, by: 'HEADER', isOpen: true };
  return isLengthUnit(headerUnit)
    ? { unit: headerUnit, columnUnit, by: 'HEADER', isOpen: unitUnseen && headerUnit !== columnUnit }
    : { unit: columnUnit, columnUnit, by: 'COLUMN', isOpen: false };
}

/** Decimals of a converted length: micrometres if it is stored in metres. */
const defaultDecimals = 6;

/** Converts the values of a column to the unit in which they are stored. Undefined if they have that unit. */
export function createUnitConverter(
  reading: UnitReading | undefined,
  { decimals = defaultDecimals }: Pick<ImportColumn, 'decimals'>,
): ((value: number) => number) | undefined {
  if (reading === undefined || reading.unit === reading.columnUnit) return undefined;
  const { unit, columnUnit } = reading;
  return (value) => Number(fromMetres(toMetres(value, unit), columnUnit).toFixed(decimals));
}
