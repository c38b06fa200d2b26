import type { DeckCode, Plant, Point } from '../plant/types.ts';
import type { Camera } from './camera.ts';

/** One picture to be rendered: how Blender takes it, and what file it becomes. */
export interface Picture {
  /** Path below `rendered/`. */
  readonly file: string;
  readonly kind: 'PANORAMA' | 'PERSPECTIVE' | 'MAP';
  readonly position: Point;
  readonly heading: number;
  readonly tilt: number;
  /** Vertical, degrees; perspective only. */
  readonly fov: number;
  /** Metres from the left to the right edge; maps only. */
  readonly span: number;
  readonly width: number;
  readonly height: number;
  readonly samples: number;
  readonly hide: readonly DeckCode[];
  /** JPEG quality, and the bytes above which it is lowered. */
  readonly quality: number;
  readonly maxBytes: number;
}

/** Height of the sea in the site frame, and where the sun stands: azimuth clockwise from north and elevation, degrees. */
export const seaLevel = -26;
export const sun = { azimuth: 215, elevation: 38 } as const;

/** Samples a pixel: few, for denoise.ts cleans them. */
const samples = 6;

/** Three-quarter view on which the units are picked. */
export const navigationCamera: Camera = { position: [86, -94, 44], heading: 317.5, tilt: -14.5, fov: 34 };
export const navigationSize = { width: 1980, height: 1080 } as const;

const loginCameras: readonly Camera[] = [
  { position: [-27, -36, 5], heading: 38, tilt: 4, fov: 46 },
  { position: [72, -58, 10], heading: 309, tilt: 3, fov: 40 },
];

/** Cameras of the icons of primary locations and platform units. */
const iconCameras: Readonly<Record<string, Camera>> = {
  HB: { position: [86, -94, 44], heading: 319, tilt: -15.5, fov: 38 },
  'HB-M10': { position: [16, -34, 18], heading: 325, tilt: -22, fov: 40 },
  'HB-M20': { position: [62, -34, 22], heading: 318, tilt: -14, fov: 46 },
  'HB-M30': { position: [34, 58, 30], heading: 219, tilt: -23, fov: 40 },
  'HB-M40': { position: [-4, -48, 28], heading: 322, tilt: -17, fov: 38 },
};

const common = { heading: 0, tilt: 0, fov: 0, span: 0, hide: [] as readonly DeckCode[], maxBytes: Number.POSITIVE_INFINITY };

/** All pictures of the demo plant. */
export function pictures(plant: Plant): Picture[] {
  return [
    ...plant.nodes.map((node): Picture => ({ ...common, file: `panorama/${node.code}.jpg`, kind: 'PANORAMA', position: node.position, heading: node.heading, width: 4096, height: 2048, samples, quality: 82, maxBytes: 1_350_000 })),
    { ...common, ...navigationCamera, ...navigationSize, file: 'navigation/HB.jpg', kind: 'PERSPECTIVE', samples: samples * 2, quality: 84, maxBytes: 600_000 },
    ...loginCameras.map((camera, k): Picture => ({ ...common, ...camera, file: `background/login-${k + 1}.jpg`, kind: 'PERSPECTIVE', width: 1920, height: 1200, samples: samples * 2, quality: 82, maxBytes: 350_000 })),
    ...plant.decks.map((deck): Picture => {
      const { west, east, south, north } = deck.extent;
      return { ...common, file: `map/${deck.code}.jpg`, kind: 'MAP', position: [(west + east) / 2, (south + north) / 2, deck.cut], span: east - west, width: (east - west) * 40, height: (north - south) * 40, samples, hide: deck.code === 'PROCESS' ? ['UPPER'] : [], quality: 82, maxBytes: 700_000 };
    }),
    ...Object.entries(iconCameras).map(([uid, camera]): Picture => ({ ...common, ...camera, file: `icon/${uid}.jpg`, kind: 'PERSPECTIVE', width: 250, height: 250, samples: samples * 8, quality: 86, maxBytes: 40_000 })),
  ];
}
