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

/** The characters of a phone number other than its digits, and `(0)`, which is not dialled from abroad. */
export const phonePunctuation = '\\(0\\)|[\\s\\u00A0\\u202F()./-]';

/** A phone number without punctuation, and with `+` for a leading `00`. */
export const normalisePhone = (text: string): string =>
  text.replace(new RegExp(phonePunctuation, 'g'), '').replace(/^00/, '+');

/** Where the shells show a notice. */
export const bannerAreas = ['TOP', 'BOTTOM'] as const;
export type BannerArea = (typeof bannerAreas)[number];

/** The maximum of notices that a browser knows at a time. */
export const maxShownNotices = 50;
export const maxNoticeLength = 500;

/** Of the Markdown of one language. */
export const maxWelcomeLength = 5000;
