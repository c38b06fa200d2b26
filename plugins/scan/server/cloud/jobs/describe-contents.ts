import { lengthUnitSymbols } from '#core';
import type { SourceSystem, SourceUnit } from '#core/api';
import type { FileSummary } from '../../../contract/api/admin.ts';

/**
 * Whether an admin should review the import: points are missing, a unit is assumed, or the files have several
 * coordinate systems.
 */
export function needsReview(contents: readonly FileSummary[]): boolean {
  return (
    contents.some(({ declared, read, system }) => lacksPoints({ declared, read, system }) || isAssumed(system)) ||
    listSystemNames(contents).size > 1
  );
}

/** The E57 standard allows points without a position; in other formats no point may be missing. */
const lacksPoints = ({ declared, read, system }: FileSummary): boolean =>
  read < declared && system.horizontal.basis !== 'FORMAT';

const isAssumed = ({ horizontal, vertical }: SourceSystem): boolean =>
  horizontal.basis === 'ASSUMED' ||
  (vertical.basis === 'ASSUMED' && (horizontal.metres === null || vertical.metres !== 1));

const listSystemNames = (contents: readonly FileSummary[]): ReadonlySet<string> =>
  new Set(
    contents.flatMap(
      ({ system: { name, epsg, projectedTo } }) => projectedTo ?? name ?? (epsg === null ? [] : `${epsg}`),
    ),
  );

/** Describes the result of an import in sentences. */
export function describeContents(contents: readonly FileSummary[]): readonly string[] {
  const sum = (part: 'declared' | 'read'): number => contents.reduce((total, content) => total + content[part], 0);
  return [
    `${sum('read')} of ${sum('declared')} points were read.`,
    ...new Set(contents.map(({ system }) => describeSystem(system))),
    ...(listSystemNames(contents).size > 1 ? ['The files name several coordinate systems.'] : []),
  ];
}

const basisText = {
  FILE: 'as the file says',
  FORMAT: 'by the standard of the format',
  PERSON: 'as chosen at the import',
  ASSUMED: 'assumed, because the file says nothing',
} as const;

function describeSystem({ horizontal, vertical, name, projectedTo }: SourceSystem): string {
  const heights =
    vertical.unit === horizontal.unit && vertical.basis === horizontal.basis
      ? ''
      : `, heights: ${describeUnit(vertical)}`;
  const system = name === null ? '' : ` Coordinate system: ${name}.`;
  const target = projectedTo === null ? '' : ` Converted to ${projectedTo}.`;
  return `Unit: ${describeUnit(horizontal)}${heights}.${system}${target}`;
}

const describeUnit = ({ unit, metres, basis }: SourceUnit): string =>
  `${unit === 'deg' ? 'degrees' : unit === 'other' ? `${metres} m` : lengthUnitSymbols[unit]} (${basisText[basis]})`;
