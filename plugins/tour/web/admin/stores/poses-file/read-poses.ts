import { toDegrees, normalizePan, toMetres, toNumber, type DateOrder, type SiteFrame, type SiteUnit } from '#core';
import { toNodeCode } from '../../../../common/to-node-code.ts';
import { toSite } from '../../../../common/to-site.ts';
import type { ContentDeck } from '../../../../contract/api/tour-content.ts';
import { findDateOrder, readPoseTime, type DateOrderFinding } from './read-pose-time.ts';
import type { PoseColumns, PoseField, PoseTable } from './pose-table.ts';

/** A viewpoint read from a row of a pose file. */
export interface ReadPose {
  readonly line: number;
  readonly code: string;
  /** Name of the viewpoint in the file. */
  readonly name: string;
  /** In the site frame, metres. */
  readonly position: readonly [x: number, y: number, z: number];
  /** Direction of the panorama's centre, degrees clockwise from the site's north. */
  readonly heading: number;
  /** When the pose was measured. Null if unknown. */
  readonly posedAt: Date | null;
}

/** An invalid row with the reason. */
export interface PoseProblem {
  readonly line: number;
  readonly reason: 'noName' | 'noNumber' | 'noTime' | 'twice' | 'quaternion';
  readonly field: PoseField;
  readonly value: string;
}

export interface PoseOptions {
  readonly columns: PoseColumns;
  readonly unit: SiteUnit;
  /** Frame of the site, if the coordinates are in its CRS. Undefined if they are in the site frame. */
  readonly frame: SiteFrame | undefined;
  /** Degrees to add to each heading, because vendors define the picture's centre differently. */
  readonly headingOffset: number;
  /** IANA name of the time zone for times without an offset. */
  readonly timeZone: string;
  /** The order of dates with the year last, as the person has chosen it. Undefined to read it from the file. */
  readonly dateOrder?: DateOrder | undefined;
}

export interface ReadPosesResult {
  readonly poses: readonly ReadPose[];
  readonly problems: readonly PoseProblem[];
  /** False if the file has no headings. The headings of the poses are zero in this case. */
  readonly hasHeadings: boolean;
  /** Undefined if no time depends on the order of its date. Without an order, ambiguous times are not read. */
  readonly dateOrder: DateOrderFinding | undefined;
}

/** Reads the viewpoints of a table. Every row becomes a viewpoint or a problem. */
export function readPoses(
  { rows, hasDecimalComma }: PoseTable,
  { columns, unit, frame, headingOffset, timeZone, dateOrder: chosenOrder }: PoseOptions,
): ReadPosesResult {
  const dateOrder = findDateOrder(rows.map(({ cells }) => cells[columns.time ?? -1] ?? ''));
  const order = chosenOrder ?? dateOrder?.proven;
  const poses: ReadPose[] = [];
  const problems: PoseProblem[] = [];
  const codes = new Set<string>();
  for (const { line, cells } of rows) {
    const read = (field: PoseField): string => cells[columns[field] ?? -1] ?? '';
    const fail = (reason: PoseProblem['reason'], field: PoseField): void =>
      void problems.push({ line, reason, field, value: read(field) });
    const toValue = (field: PoseField): number | undefined =>
      toNumber(hasDecimalComma ? read(field).replace(',', '.') : read(field));
    const code = toNodeCode(read('name'));
    if (code === '') {
      fail('noName', 'name');
      continue;
    }
    if (codes.has(code.toUpperCase())) {
      fail('twice', 'name');
      continue;
    }
    const neededFields = ['east', 'north', 'up', ...listOrientationFields(columns)] as const;
    const unreadable = neededFields.find((field) => toValue(field) === undefined);
    if (unreadable !== undefined) {
      fail('noNumber', unreadable);
      continue;
    }
    const heading = readHeading(columns, (field) => toValue(field) ?? 0);
    if (heading === undefined) {
      fail('quaternion', 'qw');
      continue;
    }
    const posedAt = readPoseTime(read('time'), timeZone, order);
    if (posedAt === undefined) {
      fail('noTime', 'time');
      continue;
    }
    codes.add(code.toUpperCase());
    const [east, north, up] = (['east', 'north', 'up'] as const).map((field) => toMetres(toValue(field) ?? 0, unit));
    const position = toSite([east!, north!, up!], frame);
    const siteHeading = normalizePan(heading + headingOffset - (frame?.rotation ?? 0));
    poses.push({ line, code, name: read('name'), position, heading: siteHeading, posedAt });
  }
  return { poses, problems, hasHeadings: listOrientationFields(columns).length > 0, dateOrder };
}

const quaternion = ['qw', 'qx', 'qy', 'qz'] as const;

/** Lists the optional fields of the heading: one column of degrees, or a quaternion. */
function listOrientationFields(columns: PoseColumns): readonly PoseField[] {
  if (columns.heading !== undefined) return ['heading'];
  return quaternion.every((field) => columns[field] !== undefined) ? quaternion : [];
}

/**
 * Reads the heading, degrees clockwise from north. A quaternion rotates the camera's x axis, which points forward (ROS
 * REP 103), into the axes east, north and up. Undefined if its length is not 1.
 */
function readHeading(columns: PoseColumns, read: (field: PoseField) => number): number | undefined {
  const fields = listOrientationFields(columns);
  if (fields.length === 0) return 0;
  if (fields.length === 1) return read('heading');
  const [w, x, y, z] = quaternion.map(read) as [number, number, number, number];
  if (Math.abs(Math.hypot(w, x, y, z) - 1) > 0.01) return undefined;
  return normalizePan(toDegrees(Math.atan2(1 - 2 * (y * y + z * z), 2 * (x * y + w * z))));
}

/** A camera may be this much below the measured floor, metres. */
const maxBelowFloorMetres = 0.3;

/** Finds the highest deck below a camera. Returns its uid, or null. */
export function findDeckBelow(decks: readonly Pick<ContentDeck, 'uid' | 'elevation'>[], up: number): string | null {
  const decksBelow = decks.filter(({ elevation }) => elevation <= up + maxBelowFloorMetres);
  return decksBelow.toSorted((a, b) => b.elevation - a.elevation)[0]?.uid ?? null;
}
