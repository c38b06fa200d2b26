import type { ExpandedTags } from 'exifreader';
import { instantAt } from '#core';

/** Metadata of a panorama's file. Angles are in degrees. Unknown values are undefined. */
export interface PictureMetadata {
  /** Local date and time of the capture, `2026-06-01T14:03:20`. */
  readonly localTime?: string;
  /** Offset of the camera's clock from UTC, `+02:00`. */
  readonly utcOffset?: string;
  /** WGS 84. The height is above the ellipsoid or above sea level: cameras do not say which. */
  readonly gpsPosition?: { readonly latitude: number; readonly longitude: number; readonly height: number | undefined };
  /** Compass heading of the picture's centre. Whether it is true or magnetic is not stated. */
  readonly heading?: number;
  readonly pitch?: number;
  readonly roll?: number;
  /** Widths in pixels of a picture that covers only a part of the sphere. Undefined for a whole sphere. */
  readonly cropped?: { readonly width: number; readonly fullWidth: number };
}

type TagGroup = Readonly<Record<string, unknown>>;

/**
 * Reads EXIF, GPS and GPano tags.
 *
 * @see EXIF 2.32, DateTimeOriginal and OffsetTimeOriginal; https://developers.google.com/streetview/spherical-metadata
 */
export function parsePictureMetadata(tags: Pick<ExpandedTags, 'exif' | 'gps' | 'xmp'>): PictureMetadata {
  const exif = (tags.exif ?? {}) as TagGroup;
  const xmp = (tags.xmp ?? {}) as TagGroup;
  const [localTime, utcOffset] = parseTime(readText(exif['DateTimeOriginal']), readText(exif['OffsetTimeOriginal']));
  const gpsPosition = readGpsPosition(tags.gps);
  const heading = readNumber(xmp['PoseHeadingDegrees'], 0, 360);
  const pitch = readNumber(xmp['PosePitchDegrees'], -90, 90);
  const roll = readNumber(xmp['PoseRollDegrees'], -180, 180);
  const crop = readCrop(xmp);
  return {
    ...(localTime === undefined ? {} : { localTime }),
    ...(utcOffset === undefined ? {} : { utcOffset }),
    ...(gpsPosition === undefined ? {} : { gpsPosition }),
    ...(heading === undefined ? {} : { heading: heading % 360 }),
    ...(pitch === undefined ? {} : { pitch }),
    ...(roll === undefined ? {} : { roll }),
    ...(crop === undefined ? {} : { cropped: crop }),
  };
}

/**
 * Finds the tilt of the camera, degrees. Pitch and roll in the metadata take precedence, also if only one of them is
 * there or both are 0. Otherwise it is the tilt of the viewpoint's pose, or 0 without a pose.
 */
export function findPictureTilt(
  { pitch, roll }: Pick<PictureMetadata, 'pitch' | 'roll'>,
  posedTilt: { readonly pitch: number; readonly roll: number } | null,
): { readonly pitch: number; readonly roll: number } {
  if (posedTilt && pitch === undefined && roll === undefined) return posedTilt;
  return { pitch: pitch ?? 0, roll: roll ?? 0 };
}

/** Returns the instant of the capture. A time without an offset is in the time zone of the site. */
export function findCaptureTime({ localTime, utcOffset }: PictureMetadata, timeZone: string): Date | undefined {
  if (localTime === undefined) return undefined;
  if (utcOffset !== undefined) return new Date(`${localTime}${utcOffset}`);
  const seconds = Number(localTime.slice(17));
  return new Date(instantAt(localTime.slice(0, 16), timeZone).getTime() + seconds * 1000);
}

function parseTime(text: string, utcOffset: string): readonly (string | undefined)[] {
  const [, year, month, day, time] = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(text) ?? [];
  const localTime = `${year}-${month}-${day}T${time}`;
  // A camera whose clock was never set writes zeros, which are no valid date.
  const instant = year === undefined ? Number.NaN : Date.parse(`${localTime}Z`);
  if (Number.isNaN(instant) || instant < Date.UTC(1990, 0, 1)) return [];
  return [localTime, /^[+-](0\d|1[0-4]):[0-5]\d$/.test(utcOffset) ? utcOffset : undefined];
}

function readGpsPosition(gps: ExpandedTags['gps']): PictureMetadata['gpsPosition'] {
  const { Latitude: latitude, Longitude: longitude, Altitude: height } = gps ?? {};
  const isKnown =
    latitude !== undefined &&
    longitude !== undefined &&
    Math.abs(latitude) <= 90 &&
    Math.abs(longitude) <= 180 &&
    // A camera without a GPS fix writes zeros.
    (latitude !== 0 || longitude !== 0);
  if (!isKnown) return undefined;
  return { latitude, longitude, height: Number.isFinite(height) ? height : undefined };
}

/** Returns the widths of a picture that covers a part of the sphere, by the cropped-area fields. */
function readCrop(xmp: TagGroup): PictureMetadata['cropped'] {
  const read = (name: string): number | undefined => readNumber(xmp[name], 1, 1e6);
  const [fullWidth, fullHeight] = [read('FullPanoWidthPixels'), read('FullPanoHeightPixels')];
  const [width, height] = [read('CroppedAreaImageWidthPixels'), read('CroppedAreaImageHeightPixels')];
  if (fullWidth === undefined || width === undefined) return undefined;
  const isPart = width < fullWidth || (height !== undefined && fullHeight !== undefined && height < fullHeight);
  return isPart ? { width, fullWidth } : undefined;
}

function readText(tag: unknown): string {
  const { value, description } = (tag ?? {}) as { readonly value?: unknown; readonly description?: unknown };
  const text = Array.isArray(value) ? value[0] : value;
  return String((typeof text === 'string' ? text : description) ?? '').trim();
}

function readNumber(tag: unknown, min: number, max: number): number | undefined {
  const text = readText(tag);
  const value = Number(text);
  return text === '' || !(value >= min && value <= max) ? undefined : value;
}
