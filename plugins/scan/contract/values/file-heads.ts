/** Bytes of one delivered file: a day's work of a scanner is a few gigabytes. */
export const maxFileBytes = 8 * 1024 ** 3;

/** Bytes of the beginning of a file, from which its coordinate system is read. */
export const maxHeadBytes = 300_000;

/** Systems whose numbers are no lengths: degrees, stretched lengths, and those counted from the centre of the Earth. */
export const unmeasurableKinds = ['DEGREES', 'WEB_MERCATOR', 'GEOCENTRIC'] as const;
export type UnmeasurableKind = (typeof unmeasurableKinds)[number];
