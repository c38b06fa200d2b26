import type { ExpandedTags } from 'exifreader';
import { instantAt } from '#core';

/** What the metadata of a panorama say. Angles are in degrees. Undefined if unknown. */
export interface PictureFacts {
  /** Local date and time of the capture, `2026-06-01T14:03:20`. */
  readonly wallTime?: string;
  /** Offset of the camera's clock from UTC, `+02:00`. */
  readonly offset?: string;
  /** WGS 84. The height is that above the ellipsoid or the sea: cameras do not say which. */
  readonly place?: { readonly latitude: number; readonly longitude: number; readonly height: number | undefined };
  /** Compass heading of the picture's centre. Whether it is true or magnetic is not stated. */
  readonly heading?: number;
  readonly pitch?: number;
  readonly roll?: number;
  /** The picture is a part of a sphere. Sizes are in pixels. */
  readonly cropped?: { readonly width: number; readonly fullWidth: number };
}

type Group = Readonly<Record<string, unknown>>;

/**
 * Reads EXIF, GPS and GPano tags.
 *
 * @see EXIF 2.32, DateTimeOriginal and OffsetTimeOriginal; https://developers.google.com/streetview/spherical-metadata
 */
export function parsePictureFacts(tags: Pick<ExpandedTags, 'exif' | 'gps' | 'xmp'>): PictureFacts {
  const exif = (tags.exif ?? {}) as Group;
  const xmp = (tags.xmp ?? {}) as Group;
  const [wallTime, offset] = readTime(readText(exif['DateTimeOriginal']), readText(exif['OffsetTimeOriginal']));
  const place = readPlace(tags.gps);
  const heading = readNumber(xmp['PoseHeadingDegrees'], 0, 360);
  const pitch = readNumber(xmp['PosePitchDegrees'], -90, 90);
  const roll = readNumber(xmp['PoseRollDegrees'], -180, 180);
  const cropped = readCrop(xmp);
  return {
    ...(wallTime === undefined ? {} : { wallTime }),
    ...(offset === undefined ? {} : { offset }),
    ...(place === undefined ? {} : { place }),
    ...(heading === undefined ? {} : { heading: heading % 360 }),
    ...(pitch === undefined ? {} : { pitch }),
    ...(roll === undefined ? {} : { roll }),
    ...(cropped === undefined ? {} : { cropped }),
  };
}

/** The instant of the capture. A clock without an offset shows the time of the site. */
export function findCaptureTime({ wallTime, offset }: PictureFacts, timeZone: string): Date | undefined {
  if (wallTime === undefined) return undefined;
  if (offset !== undefined) return new Date(`${wallTime}${offset}`);
  const seconds = Number(wallTime.slice(17));
  return new Date(instantAt(wallTime.slice(0, 16), timeZone).getTime() + seconds * 1000);
}

function readTime(text: string, offset: string): readonly (string | undefined)[] {
  const [, year, month, day, time] = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(text) ?? [];
  const wallTime = `${year}-${month}-${day}T${time}`;
  // Cameras whose clock was never set write zeros.
  const instant = year === undefined ? Number.NaN : Date.parse(`${wallTime}Z`);
  if (Number.isNaN(instant) || instant < Date.UTC(1990, 0, 1)) return [];
  return [wallTime, /^[+-](0\d|1[0-4]):[0-5]\d$/.test(offset) ? offset : undefined];
}

function readPlace(gps: ExpandedTags['gps']): PictureFacts['place'] {
  const { Latitude: latitude, Longitude: longitude, Altitude: height } = gps ?? {};
  const isKnown =
    latitude !== undefined &&
    longitude !== undefined &&
    Math.abs(latitude) <= 90 &&
    Math.abs(longitude) <= 180 &&
    // Cameras without a fix write zeros.
    (latitude !== 0 || longitude !== 0);
  if (!isKnown) return undefined;
  return { latitude, longitude, height: Number.isFinite(height) ? height : undefined };
}

/** Finds out whether a picture is a part of the sphere, by the cropped-area fields. */
function readCrop(xmp: Group): PictureFacts['cropped'] {
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
