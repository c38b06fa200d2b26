/** A background is shown on the screen of a site or in a tour. The login screen has backgrounds of its own. */
export const backgroundKinds = ['LOCATION', 'TOUR'] as const;
export type BackgroundKind = (typeof backgroundKinds)[number];

export const maxBackgrounds = 5;
export const maxPictureMegabytes = 20;
export const maxVideoMegabytes = 50;

/** The subjects on which people can ask a contact. */
export const contactCategories = ['SUPPORT', 'ADMIN', 'SITE', 'EMERGENCY'] as const;
export type ContactCategory = (typeof contactCategories)[number];

/** An international phone number by ITU-T E.164, such as `+4755501234`. */
export const phonePattern = '^\\+[1-9][0-9]{6,14}$';

/** Matches punctuation and spaces in a phone number, and `(0)`, which is not dialled from abroad. */
export const phonePunctuation = '\\(0\\)|[\\s\\u00A0\\u202F()./-]';

/** A phone number without punctuation, and with `+` for a leading `00`. */
export const normalisePhone = (text: string): string =>
  text.replace(new RegExp(phonePunctuation, 'g'), '').replace(/^00/, '+');

/** The parts of the window in which a notice is shown. */
export const bannerAreas = ['TOP', 'BOTTOM'] as const;
export type BannerArea = (typeof bannerAreas)[number];

/** The maximum number of notices that a browser loads. */
export const maxShownNotices = 50;
export const maxNoticeLength = 500;

/** Maximum number of Markdown characters per language. */
export const maxWelcomeLength = 5000;
