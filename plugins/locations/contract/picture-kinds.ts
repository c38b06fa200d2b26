/** The two pictures of a location. */
export const pictureKinds = ['icon', 'navigationImage'] as const;
export type PictureKind = (typeof pictureKinds)[number];

/** Most map hotspots of one image. */
export const maxAreas = 300;
