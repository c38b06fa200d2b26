/** Maximum bytes of one uploaded file. A day of scanning produces a few gigabytes. */
export const maxFileBytes = 8 * 1024 ** 3;

/** Bytes at the start of a file from which its coordinate system is read. */
export const maxHeadBytes = 300_000;

/** Systems whose coordinates are not lengths: degrees, distorted lengths and geocentric coordinates. */
export const unmeasurableKinds = ['DEGREES', 'WEB_MERCATOR', 'GEOCENTRIC'] as const;
export type UnmeasurableKind = (typeof unmeasurableKinds)[number];
