import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import type { FieldError } from '#core';
import { toPointer, validationMessages } from '../../common/validators/index.ts';
import { boundIntegers } from './bounded-integers.ts';
import { createCharactersError } from './json-body.ts';
import { invalidRequest, type ServerError } from './server-error.ts';
import { isStorableText } from './storable-text.ts';

export type RequestPart = 'body' | 'params' | 'query';

/** Fastify's validator contract: true, or the error. */
export type Check = (data: unknown) => true | { readonly error: ServerError };

const sharedOptions: Options = {
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  useDefaults: true,
  verbose: true,
};

const createAjv = (options: Options): Ajv2020 => addFormats.default(new Ajv2020({ ...sharedOptions, ...options }));

/**
 * Bodies are validated without coercion, and unknown properties are refused. Parameters in URLs are always text, so
 * they are coerced to the types of the schema.
 */
const bodyAjv = createAjv({ coerceTypes: false, removeAdditional: false });
const allErrorsBodyAjv = createAjv({ coerceTypes: false, removeAdditional: false, allErrors: true });
const urlAjv = createAjv({ coerceTypes: 'array' });

/** Of a larger body only the first invalid field is reported, because collecting all errors would take too long. */
const maxExplainedBytes = 64 * 1024;
const maxReportedFields = 50;

export const compileCheck = (schema: TSchema, part: RequestPart): ValidateFunction =>
  (part === 'body' ? bodyAjv : urlAjv).compile(boundIntegers(schema));

const compiledChecks: Readonly<Record<RequestPart, WeakMap<TSchema, Check>>> = {
  body: new WeakMap(),
  params: new WeakMap(),
  query: new WeakMap(),
};

/** Returns the check of a schema, compiled at first use and cached: few endpoints are called soon after a start. */
export function getCheck(schema: TSchema, part: RequestPart): Check {
  const check = compiledChecks[part].get(schema) ?? createCheck(schema, part);
  compiledChecks[part].set(schema, check);
  return check;
}

function createCheck(schema: TSchema, part: RequestPart): Check {
  let isValid: ValidateFunction | undefined;
  let collectAllErrors: ValidateFunction | undefined;
  return (data) => {
    isValid ??= compileCheck(schema, part);
    if (isValid(data)) {
      // The JSON parser has already checked a body's texts.
      const error = part === 'body' ? undefined : findUrlValueError(part, data);
      return error ? { error } : true;
    }
    let errors = isValid.errors ?? [];
    if (part === 'body' && isSmallBody(data)) {
      collectAllErrors ??= allErrorsBodyAjv.compile(boundIntegers(schema));
      collectAllErrors(data);
      errors = collectAllErrors.errors ?? errors;
    }
    return { error: invalidRequest(formatFirstError(part, errors), toFieldErrors(errors)) };
  };
}

/**
 * Finds invalid URL parameters that Ajv accepts: infinite numbers, to which it coerces "Infinity" and "1e999"
 * regardless of limits, and texts that PostgreSQL cannot store.
 */
function findUrlValueError(part: RequestPart, data: unknown): ServerError | undefined {
  for (const [name, value] of Object.entries(data ?? {}))
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item === 'number' && !Number.isFinite(item))
        return invalidRequest(`The ${part} ${name} must be a finite number.`, [
          { pointer: toPointer(name), message: validationMessages.number },
        ]);
      if (typeof item === 'string' && !isStorableText(item))
        return createCharactersError(formatPartName(part), toPointer(name));
    }
  return undefined;
}

function isSmallBody(data: unknown): boolean {
  return (JSON.stringify(data)?.length ?? 0) <= maxExplainedBytes;
}

const formatPartName = (part: RequestPart): string => (part === 'params' ? 'path' : part);

function formatFirstError(part: RequestPart, errors: readonly ErrorObject[]): string {
  const [first] = errors;
  if (!first) return 'The request is not valid.';
  return `The ${formatPartName(part)}${first.instancePath} ${first.message ?? 'is not valid'}.`;
}

/** Converts errors of the check to field errors with the messages of form rules, at most one per field. */
export function toFieldErrors(errors: readonly ErrorObject[]): readonly FieldError[] {
  const byPointer = new Map<string, FieldError>();
  for (const error of errors) {
    const field = toFieldError(error);
    if (field && !byPointer.has(field.pointer) && byPointer.size < maxReportedFields)
      byPointer.set(field.pointer, field);
  }
  return [...byPointer.values()];
}

function toFieldError({ keyword, params, instancePath, data }: ErrorObject): FieldError | undefined {
  const createFieldError = (message: string, values?: FieldError['values']): FieldError =>
    values ? { pointer: instancePath, message, values } : { pointer: instancePath, message };
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'required':
      return {
        pointer: `${instancePath}${toPointer(String(params['missingProperty']))}`,
        message: validationMessages.mandatory,
      };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return {
        pointer: `${instancePath}${toPointer(String(params['additionalProperty'] ?? params['unevaluatedProperty']))}`,
        message: validationMessages.unknownField,
      };
    case 'minLength':
    case 'minItems':
      return limit === 1
        ? createFieldError(validationMessages.mandatory)
        : createFieldError(validationMessages.minLength, { min: limit });
    case 'maxLength':
    case 'maxItems':
      return createFieldError(validationMessages.maxLength, { max: limit });
    case 'minimum':
    case 'exclusiveMinimum':
      return limit === 0
        ? createFieldError(validationMessages.positive)
        : createFieldError(validationMessages.min, { min: limit });
    case 'maximum':
    case 'exclusiveMaximum':
      return createFieldError(validationMessages.max, { max: limit });
    case 'multipleOf':
      return createFieldError(validationMessages.decimals, { count: countDecimals(Number(params['multipleOf'])) });
    case 'uniqueItems':
      return createFieldError(validationMessages.duplicate, { value: formatDuplicate(data, Number(params['i'])) });
    case 'enum':
    case 'const':
      return createFieldError(validationMessages.choice);
    case 'type':
      return createFieldError(messageForType(String(params['type']), data));
    case 'anyOf':
    case 'oneOf':
    case 'not':
    case 'if':
      return undefined;
    default:
      return createFieldError(validationMessages.format);
  }
}

function messageForType(type: string, data: unknown): string {
  if (data === null || data === undefined) return validationMessages.mandatory;
  if (type === 'integer') return typeof data === 'number' ? validationMessages.integer : validationMessages.number;
  return type === 'number' ? validationMessages.number : validationMessages.format;
}

function countDecimals(step: number): number {
  return Math.max(0, Math.ceil(-Math.log10(step)));
}

function formatDuplicate(data: unknown, index: number): string {
  const value: unknown = Array.isArray(data) ? data[index] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
