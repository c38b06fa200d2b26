/** The two pictures of a location. */
export const pictureKinds = ['icon', 'navigationImage'] as const;
export type PictureKind = (typeof pictureKinds)[number];
