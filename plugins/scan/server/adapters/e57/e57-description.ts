import type { Point3 } from '#core';
import { ScanUnreadable } from '../scan-unreadable.ts';
import { findChild, findNumber, findText, type XmlElement } from './element.ts';

/** The pose of a scanner or camera: `site = rotate(quaternion, local) + translation`, in metres. */
export interface E57Pose {
  /** A unit quaternion. */
  readonly rotation: readonly [w: number, x: number, y: number, z: number];
  readonly translation: Point3;
}

/** The encoding of one field of a point. */
export type E57Field =
  | {
      readonly name: string;
      readonly kind: 'float';
      readonly bits: 32 | 64;
      readonly minimum: number | undefined;
      readonly maximum: number | undefined;
    }
  | {
      readonly name: string;
      readonly kind: 'integer';
      readonly bits: number;
      readonly rawMinimum: bigint;
      readonly scale: number;
      readonly offset: number;
      readonly minimum: number;
      readonly maximum: number;
    }
  | { readonly name: string; readonly kind: 'text' };

export interface Limits {
  readonly minimum: number;
  readonly maximum: number;
}

/** One scan of an E57 file. */
export interface E57ScanDescription {
  readonly guid: string | undefined;
  readonly name: string | undefined;
  /** Undefined if the points are already in the file's frame. */
  readonly pose: E57Pose | undefined;
  readonly count: number;
  /** Physical offset of the compressed vector of points. */
  readonly offset: number;
  readonly fields: readonly E57Field[];
  /** Limits of the values; undefined if the file does not state them. */
  readonly intensity: Limits | undefined;
  readonly color: Limits | undefined;
  /** Seconds since 1980-01-06 (GPS time). */
  readonly acquiredAt: number | undefined;
}

export type E57Projection = 'spherical' | 'pinhole' | 'cylindrical' | 'visual';

/** One image of an E57 file. */
export interface E57Image {
  readonly guid: string | undefined;
  readonly name: string | undefined;
  readonly pose: E57Pose | undefined;
  /** Guid of the scan to which it belongs. */
  readonly scan: string | undefined;
  readonly projection: E57Projection;
  readonly width: number;
  readonly height: number;
  /** Pixel size: radians for a spherical image, metres on the sensor for a pinhole; undefined if not stated. */
  readonly pixelWidth: number | undefined;
  readonly pixelHeight: number | undefined;
  /** Focal length of a pinhole image, in metres. */
  readonly focalLength: number | undefined;
  /** Radius of a cylindrical image, in metres. */
  readonly radius: number | undefined;
  readonly principalPoint: readonly [x: number, y: number] | undefined;
  readonly mediaType: 'image/jpeg' | 'image/png';
  /** Physical offset and length of the bytes. */
  readonly offset: number;
  readonly bytes: number;
  /** A PNG mask that is 0 outside of the image. */
  readonly mask: { readonly offset: number; readonly bytes: number } | undefined;
}

export interface E57Description {
  /** WKT of the coordinate system; undefined if the file states none. */
  readonly coordinateMetadata: string | undefined;
  readonly scans: readonly E57ScanDescription[];
  readonly images: readonly E57Image[];
}

/** Parses the XML section of an E57 file. Throws `ScanUnreadable`. */
export function describeE57(root: XmlElement): E57Description {
  if (root.name !== 'e57Root') throw new ScanUnreadable('scan.refused.e57Root', { element: root.name.slice(0, 40) });
  return {
    coordinateMetadata: findText(root, 'coordinateMetadata'),
    scans: (findChild(root, 'data3D')?.children ?? []).map(readScan),
    images: (findChild(root, 'images2D')?.children ?? []).flatMap(readImages),
  };
}

function readScan(scan: XmlElement): E57ScanDescription {
  const points = findChild(scan, 'points');
  const prototype = findChild(points, 'prototype');
  if (!points || !prototype)
    throw new ScanUnreadable('scan.refused.e57NoPoints', { scan: findText(scan, 'name') ?? '?' });
  return {
    guid: findText(scan, 'guid'),
    name: findText(scan, 'name'),
    pose: readPose(scan),
    count: parseNonNegative(points, 'recordCount'),
    offset: parseNonNegative(points, 'fileOffset'),
    fields: prototype.children.flatMap(readFields),
    intensity: readLimits(findChild(scan, 'intensityLimits'), 'intensity'),
    color: readLimits(findChild(scan, 'colorLimits'), 'colorRed'),
    acquiredAt: findNumber(scan, 'acquisitionStart', 'dateTimeValue'),
  };
}

function readLimits(element: XmlElement | undefined, name: string): Limits | undefined {
  const minimum = findNumber(element, `${name}Minimum`);
  const maximum = findNumber(element, `${name}Maximum`);
  return minimum !== undefined && maximum !== undefined && maximum > minimum ? { minimum, maximum } : undefined;
}

function readPose(element: XmlElement): E57Pose | undefined {
  const pose = findChild(element, 'pose');
  if (!pose) return undefined;
  const readAxis = (name: string, axis: string): number => findNumber(pose, name, axis) ?? 0;
  const translation: Point3 = [
    readAxis('translation', 'x'),
    readAxis('translation', 'y'),
    readAxis('translation', 'z'),
  ];
  if (!findChild(pose, 'rotation')) return { rotation: [1, 0, 0, 0], translation };
  const [w, x, y, z] = [
    readAxis('rotation', 'w'),
    readAxis('rotation', 'x'),
    readAxis('rotation', 'y'),
    readAxis('rotation', 'z'),
  ];
  const length = Math.hypot(w, x, y, z);
  if (length === 0) throw new ScanUnreadable('scan.refused.e57Pose');
  return { rotation: [w / length, x / length, y / length, z / length], translation };
}

function parseNonNegative(element: XmlElement, name: string): number {
  const value = Number(element.attributes[name] ?? Number.NaN);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new ScanUnreadable('scan.refused.e57Attribute', {
      text: element.attributes[name]?.slice(0, 40) ?? '',
      attribute: name,
      field: element.name,
    });
  return value;
}

/** Returns the leaf fields in the order of their byte streams. */
function readFields(element: XmlElement): readonly E57Field[] {
  const { name, attributes } = element;
  const parseNumber = (attribute: string, fallback: number): number => {
    const number = Number(attributes[attribute] ?? fallback);
    if (Number.isNaN(number))
      throw new ScanUnreadable('scan.refused.e57Attribute', {
        text: attributes[attribute]?.slice(0, 40) ?? '',
        attribute,
        field: name,
      });
    return number;
  };
  switch (attributes['type']) {
    case 'Float': {
      const parseLimit = (attribute: string): number | undefined =>
        attributes[attribute] === undefined ? undefined : parseNumber(attribute, 0);
      return [
        {
          name,
          kind: 'float',
          bits: attributes['precision'] === 'single' ? 32 : 64,
          minimum: parseLimit('minimum'),
          maximum: parseLimit('maximum'),
        },
      ];
    }
    case 'Integer':
    case 'ScaledInteger': {
      const rawMinimum = parseInteger(attributes['minimum'] ?? '-9223372036854775808', name);
      const rawMaximum = parseInteger(attributes['maximum'] ?? '9223372036854775807', name);
      const range = rawMaximum - rawMinimum;
      if (range < 0n || range >= 1n << 64n)
        throw new ScanUnreadable('scan.refused.e57Limits', {
          field: name,
          lowest: String(rawMinimum),
          highest: String(rawMaximum),
        });
      const isScaled = attributes['type'] === 'ScaledInteger';
      const scale = isScaled ? parseNumber('scale', 1) : 1;
      const offset = isScaled ? parseNumber('offset', 0) : 0;
      return [
        {
          name,
          kind: 'integer',
          bits: range === 0n ? 0 : range.toString(2).length,
          rawMinimum,
          scale,
          offset,
          minimum: Number(rawMinimum) * scale + offset,
          maximum: Number(rawMaximum) * scale + offset,
        },
      ];
    }
    case 'String':
      return [{ name, kind: 'text' }];
    case 'Structure':
      return element.children.flatMap(readFields);
    default:
      throw new ScanUnreadable('scan.refused.e57Kind', { field: name, kind: (attributes['type'] ?? '').slice(0, 40) });
  }
}

function parseInteger(text: string, name: string): bigint {
  if (!/^\s*[+-]?\d{1,20}\s*$/.test(text))
    throw new ScanUnreadable('scan.refused.e57NoWholeNumber', { text: text.slice(0, 40), field: name });
  return BigInt(text.trim().replace('+', ''));
}

const projections = {
  sphericalRepresentation: 'spherical',
  pinholeRepresentation: 'pinhole',
  cylindricalRepresentation: 'cylindrical',
  visualReferenceRepresentation: 'visual',
} as const;

/** Returns nothing for an image without bytes or with an unknown projection, because the points are still useful. */
function readImages(image: XmlElement): readonly E57Image[] {
  for (const [name, projection] of Object.entries(projections)) {
    const representation = findChild(image, name);
    const jpeg = findChild(representation, 'jpegImage');
    const blob = jpeg ?? findChild(representation, 'pngImage');
    if (!representation || !blob) continue;
    const mask = findChild(representation, 'imageMask');
    const x = findNumber(representation, 'principalPointX');
    const y = findNumber(representation, 'principalPointY');
    return [
      {
        guid: findText(image, 'guid'),
        name: findText(image, 'name'),
        pose: readPose(image),
        scan: findText(image, 'associatedData3DGuid'),
        projection,
        width: findNumber(representation, 'imageWidth') ?? 0,
        height: findNumber(representation, 'imageHeight') ?? 0,
        pixelWidth: findNumber(representation, 'pixelWidth'),
        pixelHeight: findNumber(representation, 'pixelHeight'),
        focalLength: findNumber(representation, 'focalLength'),
        radius: findNumber(representation, 'radius'),
        principalPoint: x === undefined && y === undefined ? undefined : [x ?? 0, y ?? 0],
        mediaType: jpeg ? 'image/jpeg' : 'image/png',
        offset: parseNonNegative(blob, 'fileOffset'),
        bytes: parseNonNegative(blob, 'length'),
        mask: mask && { offset: parseNonNegative(mask, 'fileOffset'), bytes: parseNonNegative(mask, 'length') },
      },
    ];
  }
  return [];
}
