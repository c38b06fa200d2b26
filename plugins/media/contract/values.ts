/** Of what an image is the background: of a site's screen, or of a tour. The login screen has its own. */
export const backgroundKinds = ['LOCATION', 'TOUR'] as const;
export type BackgroundKind = (typeof backgroundKinds)[number];

export const maxBackgrounds = 5;
export const maxPictureMegabytes = 20;
export const maxVideoMegabytes = 50;

/** For what people ask a contact. */
export const contactCategories = ['SUPPORT', 'ADMIN', 'SITE', 'EMERGENCY'] as const;
export type ContactCategory = (typeof contactCategories)[number];

/** An international phone number as ITU-T E.164 has it, such as `+4755501234`. */
export const phonePattern = '^\\+[1-9][0-9]{6,14}$';
