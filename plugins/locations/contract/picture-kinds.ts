/** The two pictures of a location. */
export const pictureKinds = ['icon', 'navigationImage'] as const;
export type PictureKind = (typeof pictureKinds)[number];

/** The sizes of pictures in pixels. */
export const pictureSizes = {
  icon: { width: 250, height: 250 },
  navigationImage: { width: 1980, height: 1080 },
} as const;

/** Maximum number of corners of a map hotspot. */
export const maxCorners = 64;

/** Maximum number of map hotspots of one image. */
export const maxAreas = 300;
