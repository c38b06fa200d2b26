/** Message ids of the rules; the texts are in core's messages. */
export const validationMessages = {
  mandatory: 'core.validation.mandatory',
  mandatoryField: 'core.validation.mandatoryField',
  password: 'core.validation.password',
  passwordCommon: 'core.validation.passwordCommon',
  passwordPersonal: 'core.validation.passwordPersonal',
  positive: 'core.validation.positive',
  integer: 'core.validation.integer',
  max: 'core.validation.max',
  maxLength: 'core.validation.maxLength',
  min: 'core.validation.min',
  minLength: 'core.validation.minLength',
  decimals: 'core.validation.decimals',
  integerDigits: 'core.validation.integerDigits',
  number: 'core.validation.number',
  onlyNumbers: 'core.validation.onlyNumbers',
  fileType: 'core.validation.fileType',
  duplicate: 'core.validation.duplicate',
  specialChars: 'core.validation.specialChars',
  specialCharsExceptDash: 'core.validation.specialCharsExceptDash',
  email: 'core.validation.email',
  timeZone: 'core.validation.timeZone',
  /** The value does not have the required format. */
  format: 'core.validation.format',
  /** The value is not one of the choices. */
  choice: 'core.validation.choice',
  /** The text contains characters that cannot be stored. */
  characters: 'core.validation.characters',
  /** The value nests lists or objects too deeply. */
  depth: 'core.validation.depth',
  /** The field is unknown. */
  unknownField: 'core.validation.unknownField',
} as const;
export type ValidationMessage = (typeof validationMessages)[keyof typeof validationMessages];

/** The reason for which a value is invalid: a message id and the values of its placeholders. */
export interface ValidationError {
  readonly message: string;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** Undefined for a valid value. Rules accept empty values, except `mandatory`. */
export type Rule<T = unknown> = (value: T) => ValidationError | undefined;

/** True for a missing value and for text of only white space. */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    (typeof value === 'string' && value.trim() === '') ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** True for text of only white space and characters that are never drawn, such as U+200B or controls of direction. */
export function isInvisible(value: unknown): boolean {
  return typeof value === 'string' && /^[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]*$/u.test(value);
}
