import { recapturedNodes } from '../plant/earlier.ts';
import type { DeckCode, Node, Plant, Point } from '../plant/types.ts';
import type { Camera } from './camera.ts';

/** A scene to render. `HB-EARLIER` is the platform at the earlier capture. */
export type SiteCode = 'HB' | 'HB-EARLIER' | 'SK' | 'OT' | 'MF';

/** One picture to render: Blender's parameters and the output file. */
export interface Picture {
  /** The scene: the full platform HB, or one of `otherSites`. */
  readonly site: SiteCode;
  /** Path below `rendered/`. */
  readonly file: string;
  readonly kind: 'PANORAMA' | 'PERSPECTIVE' | 'MAP';
  readonly position: Point;
  readonly heading: number;
  readonly tilt: number;
  /** Vertical field of view in degrees, of perspective pictures. */
  readonly fov: number;
  /** Metres from the left to the right edge, of maps. */
  readonly span: number;
  readonly width: number;
  readonly height: number;
  readonly samples: number;
  readonly hide: readonly DeckCode[];
  /** JPEG quality, and the size in bytes above which it is lowered. */
  readonly quality: number;
  readonly maxBytes: number;
}

/** Height of the sea in the site frame, and the sun's azimuth clockwise from north and elevation, in degrees. */
export const seaLevel = -26;
export const sun = { azimuth: 215, elevation: 38 } as const;

/** Samples per pixel. Few suffice, because denoise.ts removes the noise. */
const samples = 4;

/** Cameras of the navigation images. */
export const navigationCameras: Readonly<Record<Exclude<SiteCode, 'HB-EARLIER'>, Camera>> = {
  HB: { position: [86, -94, 44], heading: 317.5, tilt: -14.5, fov: 34 },
  SK: { position: [44, -58, 16], heading: 323, tilt: -12, fov: 40 },
  OT: { position: [140, -250, 70], heading: 331, tilt: -19, fov: 40 },
  MF: { position: [150, -205, 56], heading: 323, tilt: -14.5, fov: 36 },
};
export const navigationSize = { width: 1980, height: 1080 } as const;

const loginCameras: readonly Camera[] = [
  { position: [-27, -36, 5], heading: 38, tilt: 4, fov: 46 },
  { position: [72, -58, 10], heading: 309, tilt: 3, fov: 40 },
];

/** Cameras of the icons of primary locations and platform units. */
const iconCameras: Readonly<Record<string, Camera>> = {
  SK: { position: [40, -52, 14], heading: 322.5, tilt: -11, fov: 42 },
  'SK-W10': { position: [30, -36, 14], heading: 320, tilt: -16, fov: 40 },
  OT: { position: [150, -260, 85], heading: 330, tilt: -19, fov: 44 },
  'OT-T10': { position: [90, -10, 45], heading: 325, tilt: -25, fov: 44 },
  'OT-J20': { position: [62, -170, 20], heading: 316, tilt: -20, fov: 44 },
  MF: { position: [120, -170, 48], heading: 322, tilt: -13, fov: 46 },
  'MF-P10': { position: [70, -80, 34], heading: 318, tilt: -20, fov: 40 },
  HB: { position: [86, -94, 44], heading: 319, tilt: -15.5, fov: 38 },
  'HB-M10': { position: [16, -34, 18], heading: 325, tilt: -22, fov: 40 },
  'HB-M20': { position: [62, -34, 22], heading: 318, tilt: -14, fov: 46 },
  'HB-M30': { position: [34, 58, 30], heading: 219, tilt: -23, fov: 40 },
  'HB-M40': { position: [-4, -48, 28], heading: 322, tilt: -17, fov: 38 },
};

const defaultPicture = {
  site: 'HB' as SiteCode,
  heading: 0,
  tilt: 0,
  fov: 0,
  span: 0,
  hide: [] as readonly DeckCode[],
  maxBytes: Number.POSITIVE_INFINITY,
};

/** The site of a location: the prefix of its uid. */
function findSite(uid: string): SiteCode {
  const code = uid.slice(0, 2);
  if (code === 'HB' || code === 'SK' || code === 'OT' || code === 'MF') return code;
  throw new Error(`Location ${uid} belongs to no site in pictures.ts.`);
}

function buildPanorama(node: Node, site: SiteCode, file: string): Picture {
  return {
    ...defaultPicture,
    site,
    file,
    kind: 'PANORAMA',
    position: node.position,
    heading: node.heading,
    width: 4096,
    height: 2048,
    samples,
    quality: 82,
    maxBytes: 1_350_000,
  };
}

/** All pictures of the demo plant. */
export function listPictures(plant: Plant): Picture[] {
  return [
    ...plant.nodes.map((node) => buildPanorama(node, 'HB', `panorama/${node.code}.jpg`)),
    ...plant.nodes
      .filter(({ code }) => recapturedNodes.includes(code))
      .map((node) => buildPanorama(node, 'HB-EARLIER', `earlier/${node.code}.jpg`)),
    ...Object.entries(navigationCameras).map(([uid, camera]): Picture => ({
      ...defaultPicture,
      ...camera,
      ...navigationSize,
      site: findSite(uid),
      file: `navigation/${uid}.jpg`,
      kind: 'PERSPECTIVE',
      samples: samples * 2,
      quality: 84,
      maxBytes: 600_000,
    })),
    ...loginCameras.map((camera, k): Picture => ({
      ...defaultPicture,
      ...camera,
      file: `background/login-${k + 1}.jpg`,
      kind: 'PERSPECTIVE',
      width: 1920,
      height: 1200,
      samples: samples * 2,
      quality: 82,
      maxBytes: 350_000,
    })),
    ...plant.decks.map((deck): Picture => {
      const { west, east, south, north } = deck.extent;
      return {
        ...defaultPicture,
        file: `map/${deck.code}.jpg`,
        kind: 'MAP',
        position: [(west + east) / 2, (south + north) / 2, deck.cut],
        span: east - west,
        width: (east - west) * 40,
        height: (north - south) * 40,
        samples,
        hide: deck.code === 'PROCESS' ? ['UPPER'] : [],
        quality: 82,
        maxBytes: 700_000,
      };
    }),
    ...Object.entries(iconCameras).map(([uid, camera]): Picture => ({
      ...defaultPicture,
      ...camera,
      site: findSite(uid),
      file: `icon/${uid}.jpg`,
      kind: 'PERSPECTIVE',
      width: 250,
      height: 250,
      samples: samples * 6,
      quality: 86,
      maxBytes: 40_000,
    })),
  ];
}

/** A separately rendered part of a picture: its rows between two fractions of the height, counted from the bottom. */
export interface Band {
  readonly suffix: string;
  readonly band: readonly [low: number, high: number];
  readonly samples: number;
}

/**
 * The bands of a picture from top to bottom. An equirectangular image stretches zenith and nadir over many pixels, so
 * half the samples suffice above and below 45 degrees.
 */
export function listBands(picture: Picture): readonly Band[] {
  if (picture.kind !== 'PANORAMA') return [{ suffix: '', band: [0, 1], samples: picture.samples }];
  const reducedSamples = Math.max(1, Math.round(picture.samples / 2));
  return [
    { suffix: '.top', band: [0.75, 1], samples: reducedSamples },
    { suffix: '.middle', band: [0.25, 0.75], samples: picture.samples },
    { suffix: '.bottom', band: [0, 0.25], samples: reducedSamples },
  ];
}
