/** Of what an image is the background: of a site's screen, or of a tour. The login screen has its own. */
export const backgroundKinds = ['LOCATION', 'TOUR'] as const;
export type BackgroundKind = (typeof backgroundKinds)[number];

export const maxBackgrounds = 5;
export const maxPictureMegabytes = 20;
export const maxVideoMegabytes = 50;
