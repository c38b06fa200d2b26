/** Message ids of what a rule refuses; the texts lie in core's messages. */
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
  /** The value has not the form that is asked for. */
  format: 'core.validation.format',
  /** The value is none of those that can be chosen. */
  choice: 'core.validation.choice',
  /** The text contains characters that cannot be stored. */
  characters: 'core.validation.characters',
  /** The value holds lists or objects in more levels than are taken. */
  depth: 'core.validation.depth',
  /** The field is not one that is asked for. */
  unknownField: 'core.validation.unknownField',
} as const;
export type ValidationMessage = (typeof validationMessages)[keyof typeof validationMessages];

/** Why a value is refused: a message id and the values of its gaps. */
export interface ValidationError {
  readonly message: string;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** Undefined where the value stands. A rule leaves an empty value to `mandatory`. */
export type Rule<T = unknown> = (value: T) => ValidationError | undefined;

/** Nothing was given: no value, or a text of nothing but white space. */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    (typeof value === 'string' && value.trim() === '') ||
    (Array.isArray(value) && value.length === 0)
  );
}
