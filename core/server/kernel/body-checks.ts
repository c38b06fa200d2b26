import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import type { FieldError } from '#core';
import { toPointer, validationMessages } from '../../common/validators/index.ts';
import { boundIntegers } from './bounded-integers.ts';
import { charactersError } from './json-body.ts';
import { invalidRequest, type ServerError } from './server-error.ts';
import { isStorableText } from './storable-text.ts';

export type RequestPart = 'body' | 'params' | 'query';

/** Fastify's validator contract: true, or the error. */
export type Check = (data: unknown) => true | { readonly error: ServerError };

const shared: Options = {
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  useDefaults: true,
  verbose: true,
};

const createAjv = (options: Options): Ajv2020 => addFormats.default(new Ajv2020({ ...shared, ...options }));

/**
 * Bodies are validated without coercion, and unknown properties are refused. Addresses contain only text, so values are
 * coerced to the schema's types.
 */
const bodies = createAjv({ coerceTypes: false, removeAdditional: false });
const bodiesInFull = createAjv({ coerceTypes: false, removeAdditional: false, allErrors: true });
const addresses = createAjv({ coerceTypes: 'array' });

/** In larger bodies only the first wrong field is reported: reporting all would let a small request cause much work. */
const maxExplainedBytes = 64 * 1024;
const maxFields = 50;

export const compileCheck = (described: TSchema, part: RequestPart): ValidateFunction =>
  (part === 'body' ? bodies : addresses).compile(boundIntegers(described));

const compiledChecks: Readonly<Record<RequestPart, WeakMap<TSchema, Check>>> = {
  body: new WeakMap(),
  params: new WeakMap(),
  query: new WeakMap(),
};

/** The check of a schema, cached per schema. Compiled at first use: few endpoints are called soon after a start. */
export function getCheck(described: TSchema, part: RequestPart): Check {
  const check = compiledChecks[part].get(described) ?? createCheck(described, part);
  compiledChecks[part].set(described, check);
  return check;
}

function createCheck(described: TSchema, part: RequestPart): Check {
  let isValid: ValidateFunction | undefined;
  let explain: ValidateFunction | undefined;
  return (data) => {
    isValid ??= compileCheck(described, part);
    if (isValid(data)) {
      // The JSON parser has already checked a body's texts.
      const error = part === 'body' ? undefined : findAddressError(part, data);
      return error ? { error } : true;
    }
    let errors = isValid.errors ?? [];
    if (part === 'body' && isSmall(data)) {
      explain ??= bodiesInFull.compile(boundIntegers(described));
      explain(data);
      errors = explain.errors ?? errors;
    }
    return { error: invalidRequest(formatSentence(part, errors), fieldErrors(errors)) };
  };
}

/**
 * Finds what Ajv accepts in addresses: infinite numbers, to which it coerces "Infinity" and "1e999" regardless of
 * limits, and texts that PostgreSQL cannot store.
 */
function findAddressError(part: RequestPart, data: unknown): ServerError | undefined {
  for (const [name, value] of Object.entries(data ?? {}))
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each === 'number' && !Number.isFinite(each))
        return invalidRequest(`The ${part} ${name} must be a finite number.`, [
          { pointer: toPointer(name), message: validationMessages.number },
        ]);
      if (typeof each === 'string' && !isStorableText(each)) return charactersError(placeName(part), toPointer(name));
    }
  return undefined;
}

function isSmall(data: unknown): boolean {
  return (JSON.stringify(data)?.length ?? 0) <= maxExplainedBytes;
}

const placeName = (part: RequestPart): string => (part === 'params' ? 'path' : part);

function formatSentence(part: RequestPart, errors: readonly ErrorObject[]): string {
  const [first] = errors;
  if (!first) return 'The request is not valid.';
  return `The ${placeName(part)}${first.instancePath} ${first.message ?? 'is not valid'}.`;
}

/** At most one error per field, with the messages of form rules. */
export function fieldErrors(errors: readonly ErrorObject[]): readonly FieldError[] {
  const byPointer = new Map<string, FieldError>();
  for (const error of errors) {
    const field = fieldError(error);
    if (field && !byPointer.has(field.pointer) && byPointer.size < maxFields) byPointer.set(field.pointer, field);
  }
  return [...byPointer.values()];
}

function fieldError({ keyword, params, instancePath, data }: ErrorObject): FieldError | undefined {
  const at = (message: string, values?: FieldError['values']): FieldError =>
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
      return limit === 1 ? at(validationMessages.mandatory) : at(validationMessages.minLength, { min: limit });
    case 'maxLength':
    case 'maxItems':
      return at(validationMessages.maxLength, { max: limit });
    case 'minimum':
    case 'exclusiveMinimum':
      return limit === 0 ? at(validationMessages.positive) : at(validationMessages.min, { min: limit });
    case 'maximum':
    case 'exclusiveMaximum':
      return at(validationMessages.max, { max: limit });
    case 'multipleOf':
      return at(validationMessages.decimals, { count: countDecimals(Number(params['multipleOf'])) });
    case 'uniqueItems':
      return at(validationMessages.duplicate, { value: formatDuplicate(data, Number(params['i'])) });
    case 'enum':
    case 'const':
      return at(validationMessages.choice);
    case 'type':
      return at(messageForType(String(params['type']), data));
    case 'anyOf':
    case 'oneOf':
    case 'not':
    case 'if':
      return undefined;
    default:
      return at(validationMessages.format);
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
