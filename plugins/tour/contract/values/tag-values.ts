import { integer, isEmpty, mandatory, max, maxLength, min, number, validationMessages, type Rule } from '#core';

/** Kinds of equipment. `OTHER` is any kind that is not listed. */
export const tagKinds = [
  'VESSEL',
  'PUMP',
  'EXCHANGER',
  'COMPRESSOR',
  'TANK',
  'VALVE',
  'INSTRUMENT',
  'SAFETY',
  'ELECTRICAL',
  'STRUCTURE',
  'OTHER',
] as const;
export type TagKind = (typeof tagKinds)[number];
/** The kind of all lines. */
export const lineKind = 'LINE' as const;

export const maxNumberLength = 120;
export const maxDescriptionLength = 500;
export const maxTitleLength = 200;
export const maxRevisionLength = 20;
/** Nominal diameter, millimetres. */
export const maxDn = 5000;

/** No control characters, and no blank at the ends. */
export const textPattern = '^(?:[^\\s\\x00-\\x1f\\x7f](?:[^\\x00-\\x1f\\x7f]*[^\\s\\x00-\\x1f\\x7f])?)?$';
/** The same with at least one character. */
export const requiredTextPattern = '^[^\\s\\x00-\\x1f\\x7f](?:[^\\x00-\\x1f\\x7f]*[^\\s\\x00-\\x1f\\x7f])?$';
/** Inches as written on a drawing, such as `6`, `1/2` or `1 1/2`. */
export const npsPattern = '^(?:[1-9][0-9]?(?: [1-9]/(?:2|4|8|16))?|[1-9]/(?:2|4|8|16))$';
/** Suitability of a revision by ISO 19650-2 (UK national annex). */
export const statusPattern = '^(S[0-7]|A[1-9][0-9]?|B[1-9][0-9]?|CR)$';

const matches =
  (pattern: string, message: string): Rule<string> =>
  (value) =>
    isEmpty(value) || new RegExp(pattern).test(value.trim()) ? undefined : { message };
const printable = matches(textPattern, validationMessages.characters);
/** Search compares numbers by their letters and digits. */
const hasLetterOrDigit = matches('[A-Za-z0-9]', validationMessages.format);

/** Rules of the texts of tags, lines and documents, for forms, requests and imports. */
export const numberRules: readonly Rule<string>[] = [
  mandatory,
  maxLength(maxNumberLength),
  printable,
  hasLetterOrDigit,
];
export const documentCodeRules: readonly Rule<string>[] = [mandatory, maxLength(maxNumberLength), printable];
export const titleRules: readonly Rule<string>[] = [mandatory, maxLength(maxTitleLength), printable];
export const descriptionRules: readonly Rule<string>[] = [maxLength(maxDescriptionLength), printable];
export const serviceRules: readonly Rule<string>[] = [mandatory, maxLength(maxNumberLength), printable];
export const npsRules: readonly Rule<string>[] = [matches(npsPattern, 'tour.refused.nps')];
export const dnRules: readonly Rule<number | undefined>[] = [number, integer, min(1), max(maxDn)];
/** Outside diameter in millimetres, as admins type it. */
export const diameterRules: readonly Rule<number | undefined>[] = [number, min(1), max(10_000)];
export const lineEndRules: readonly Rule<string>[] = [maxLength(maxNumberLength), printable];
export const revisionRules: readonly Rule<string>[] = [mandatory, maxLength(maxRevisionLength), printable];
export const statusRules: readonly Rule<string>[] = [mandatory, matches(statusPattern, validationMessages.format)];
