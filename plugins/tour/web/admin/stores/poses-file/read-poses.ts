import {
  detectNumberFormat,
  isLengthUnit,
  normalizePan,
  toDegrees,
  toMetres,
  toNumber,
  toPointNumber,
  type DateOrder,
  type LengthUnit,
  type NumberFormat,
  type SiteFrame,
  type SiteUnit,
} from '#core';
import type { CameraPose } from '../../../../common/alignment/camera-pose.ts';
import { toNodeCode, toNodeName } from '../../../../common/to-node-code.ts';
import { toSite } from '../../../../common/to-site.ts';
import type { ContentDeck, PosedTilt } from '../../../../contract/api/tour-content.ts';
import { toOrientation, turnRight } from './camera-quaternion.ts';
import { findDateOrder, readPoseTime, type DateOrderFinding } from './read-pose-time.ts';
import {
  angles,
  coordinates,
  findHeaderUnit,
  hasQuaternion,
  listOrientationFields,
  type PoseColumns,
  type PoseField,
  type PoseTable,
} from './pose-table.ts';

/** A viewpoint read from a row of a pose file. */
export interface ReadPose {
  readonly line: number;
  readonly code: string;
  /** Name of the viewpoint: as in the file, or the name of its panorama without the extension. */
  readonly name: string;
  /** In the site frame, metres. */
  readonly position: readonly [x: number, y: number, z: number];
  /** Direction of the panorama's centre, degrees clockwise from the site's north. */
  readonly heading: number;
  /** Tilt of the camera. Null if it is level or not in the file. */
  readonly tilt: PosedTilt | null;
  /** When the pose was measured. Null if unknown. */
  readonly posedAt: Date | null;
}

/** An invalid row with the reason. */
export interface PoseProblem {
  readonly line: number;
  readonly reason: 'noName' | 'noNumber' | 'noAngle' | 'noTime' | 'twice' | 'quaternion';
  readonly field: PoseField;
  readonly value: string;
}

export interface PoseOptions {
  readonly columns: PoseColumns;
  /** The unit of coordinates whose headers name none. */
  readonly unit: SiteUnit;
  /** The unit of the site, which decides which foot a header such as `X (ft)` names. */
  readonly siteUnit: SiteUnit;
  /** Frame of the site, if the coordinates are in its CRS. Undefined if they are in the site frame. */
  readonly frame: SiteFrame | undefined;
  /**
   * Degrees by which the picture's centre is to the right of the camera's forward axis, because vendors define the
   * centre differently. A tilted camera is turned about its own up axis, so that pitch and roll change, too.
   */
  readonly headingOffset: number;
  /** IANA name of the time zone for times without an offset. */
  readonly timeZone: string;
  /** The order of dates with the year last, as the person has chosen it. Undefined to read it from the file. */
  readonly dateOrder?: DateOrder | undefined;
}

export interface ReadPosesResult {
  readonly poses: readonly ReadPose[];
  readonly problems: readonly PoseProblem[];
  /** False if the file has no headings. The heading of each pose is then `headingOffset`, from the site's north. */
  readonly hasHeadings: boolean;
  /** True if the file has pitch, roll or quaternions. */
  readonly hasTilts: boolean;
  /** Undefined if no time depends on the order of its date. Without an order, ambiguous times are not read. */
  readonly dateOrder: DateOrderFinding | undefined;
}

/** Reads the viewpoints of a table. Every row becomes a viewpoint or a problem. */
export function readPoses(
  table: PoseTable,
  { columns, unit, siteUnit, frame, headingOffset, timeZone, dateOrder: chosenOrder }: PoseOptions,
): ReadPosesResult {
  const { rows } = table;
  const dateOrder = findDateOrder(rows.map(({ cells }) => cells[columns.time ?? -1] ?? ''));
  const order = chosenOrder ?? dateOrder?.proven;
  const poses: ReadPose[] = [];
  const problems: PoseProblem[] = [];
  const codes = new Set<string>();
  const orientationFields = listOrientationFields(columns);
  const coordinateFormat = findNumberFormat(table, columns, coordinates);
  const orientationFormat = findNumberFormat(table, columns, orientationFields);
  const headerUnits = listHeaderUnits(table, columns, siteUnit);
  const hasQuaternions = hasQuaternion(columns);
  const hasHeadings = hasQuaternions || columns.heading !== undefined;
  const rotation = hasHeadings ? (frame?.rotation ?? 0) : 0;
  const toLengthUnit = (field: PoseField): LengthUnit => {
    const named = headerUnits[field];
    return isLengthUnit(named) ? named : unit;
  };
  for (const { line, cells } of rows) {
    const read = (field: PoseField): string => cells[columns[field] ?? -1] ?? '';
    const fail = (reason: PoseProblem['reason'], field: PoseField): void =>
      void problems.push({ line, reason, field, value: read(field) });
    const toValue = (field: PoseField): number | undefined => {
      const number = toPointNumber(read(field), isCoordinate(field) ? coordinateFormat : orientationFormat);
      const value = 'text' in number ? toNumber(number.text) : undefined;
      return value === undefined ? undefined : value * (degreesPer[headerUnits[field] ?? ''] ?? 1);
    };
    const code = toNodeCode(read('name'));
    if (code === '') {
      fail('noName', 'name');
      continue;
    }
    if (codes.has(code.toUpperCase())) {
      fail('twice', 'name');
      continue;
    }
    const hasNoTilt = read('pitch') === '' && read('roll') === '';
    const neededFields = [
      ...coordinates,
      ...orientationFields.filter((field) => !(hasNoTilt && (field === 'pitch' || field === 'roll'))),
    ];
    const unreadable = neededFields.find((field) => toValue(field) === undefined);
    if (unreadable !== undefined) {
      fail('noNumber', unreadable);
      continue;
    }
    const isTooLarge = (field: PoseField, max: number): boolean => Math.abs(toValue(field) ?? 0) > max;
    const tooLargeField = orientationFields.find(
      (field) => (field === 'pitch' && isTooLarge(field, 90)) || (field === 'roll' && isTooLarge(field, 360)),
    );
    if (tooLargeField !== undefined) {
      fail('noAngle', tooLargeField);
      continue;
    }
    const camera = readOrientation(columns, (field) => toValue(field) ?? 0);
    if (camera === undefined) {
      fail('quaternion', 'qw');
      continue;
    }
    const posedAt = readPoseTime(read('time'), timeZone, order);
    if (posedAt === undefined) {
      fail('noTime', 'time');
      continue;
    }
    codes.add(code.toUpperCase());
    const [east, north, up] = coordinates.map((field) => toMetres(toValue(field) ?? 0, toLengthUnit(field)));
    const position = toSite([east!, north!, up!], frame);
    const centre = turnCentre(camera, headingOffset);
    poses.push({
      line,
      code,
      name: toNodeName(read('name')),
      position,
      heading: normalizePan(centre.heading - rotation),
      tilt: isLevel(centre) ? null : { pitch: centre.pitch, roll: centre.roll },
      posedAt,
    });
  }
  return {
    poses,
    problems,
    hasHeadings,
    hasTilts: hasQuaternions || columns.pitch !== undefined || columns.roll !== undefined,
    dateOrder,
  };
}

const isCoordinate = (field: PoseField): boolean => coordinates.some((coordinate) => coordinate === field);

/**
 * Finds how the numbers of these fields are written. Undefined if they have no commas, or if they contradict each
 * other: numbers that depend on it are then unreadable.
 */
function findNumberFormat(
  { rows, hasCommaSeparator }: PoseTable,
  columns: PoseColumns,
  fields: readonly PoseField[],
): NumberFormat | undefined {
  const foundFormats = new Set(
    rows.flatMap(({ cells }) => fields.map((field) => detectNumberFormat(cells[columns[field] ?? -1] ?? ''))),
  );
  if (foundFormats.has('DECIMAL_COMMA')) return foundFormats.has('THOUSANDS_COMMA') ? undefined : 'DECIMAL_COMMA';
  if (foundFormats.has('THOUSANDS_COMMA')) return 'THOUSANDS_COMMA';
  return foundFormats.has('NUMBER') && !hasCommaSeparator ? 'DECIMAL_COMMA' : undefined;
}

/** Degrees per unit of angles that headers can name. */
const degreesPer: Readonly<Record<string, number>> = { rad: toDegrees(1), gon: 0.9 };

/** The units that headers name for coordinates and angles, by field. Those of other fields do not count. */
export function listHeaderUnits(
  table: Pick<PoseTable, 'columns'>,
  columns: PoseColumns,
  siteUnit: SiteUnit,
): Readonly<Partial<Record<PoseField, string>>> {
  const isLength = (unit: string): boolean => isLengthUnit(unit);
  const isAngle = (unit: string): boolean => degreesPer[unit] !== undefined;
  const list = (fields: readonly PoseField[], isUnit: (unit: string) => boolean) =>
    fields.flatMap((field) => {
      const unit = findHeaderUnit(table, columns, field, siteUnit);
      return unit !== undefined && isUnit(unit) ? [[field, unit] as const] : [];
    });
  return Object.fromEntries([...list(coordinates, isLength), ...list(angles, isAngle)]);
}

/** The same angle between -180 and 180 degrees. */
const toHalfTurn = (degrees: number): number => normalizePan(degrees + 180) - 180;

type Orientation = Omit<CameraPose, 'position'>;

/** Reads the orientation of a camera. Undefined if the length of its quaternion is not 1. */
function readOrientation(columns: PoseColumns, read: (field: PoseField) => number): Orientation | undefined {
  if (!hasQuaternion(columns))
    return { heading: read('heading'), pitch: read('pitch'), roll: toHalfTurn(read('roll')) };
  const length = Math.hypot(read('qw'), read('qx'), read('qy'), read('qz'));
  if (Math.abs(length - 1) > 0.01) return undefined;
  return toOrientation([read('qw') / length, read('qx') / length, read('qy') / length, read('qz') / length]);
}

/** Computes the orientation of a picture whose centre is `offset` degrees to the right of the camera's forward axis. */
const turnCentre = (camera: Orientation, offset: number): Orientation =>
  offset === 0 || isLevel(camera) ? { ...camera, heading: camera.heading + offset } : turnRight(camera, offset);

/** Pictures are not levelled by smaller angles, degrees. */
const minTiltDegrees = 0.005;
const isLevel = ({ pitch, roll }: PosedTilt): boolean =>
  Math.abs(pitch) < minTiltDegrees && Math.abs(roll) < minTiltDegrees;

/** A camera may be this much below the measured floor, metres. */
const maxBelowFloorMetres = 0.3;

/** Finds the highest deck below a camera. Returns its uid, or null. */
export function findDeckBelow(decks: readonly Pick<ContentDeck, 'uid' | 'elevation'>[], up: number): string | null {
  const decksBelow = decks.filter(({ elevation }) => elevation <= up + maxBelowFloorMetres);
  return decksBelow.toSorted((a, b) => b.elevation - a.elevation)[0]?.uid ?? null;
}
