import type { DefinedError } from 'ajv/dist/2020.js';
import { findNearestName } from '../../core/common/format/find-nearest-name.ts';
import { escapePointer } from './read-profile-file.ts';

export interface DescribedError {
  /** JSON pointer into the profile: to the wrong value, or to the object that lacks one. */
  readonly pointer: string;
  readonly cause: string;
  readonly remedy: string;
}

type Schema = { readonly [keyword: string]: unknown };

/**
 * Describes a schema error in a sentence with its cause and one with the remedy. Undefined for an error that only
 * summarises others.
 *
 * @param data the checked value
 * @param root its schema
 * @param under JSON pointer of `data` in the profile
 */
export function describeSchemaError(
  error: DefinedError,
  data: unknown,
  root: unknown,
  under: string,
): DescribedError | undefined {
  const pointer = `${under}${error.instancePath}`;
  const name = settingName(pointer);
  const value = JSON.stringify(valueAt(data, error.instancePath));
  const schema = (error.parentSchema ?? {}) as Schema;
  const at = (cause: string, remedy: string): DescribedError => ({ pointer, cause, remedy });
  switch (error.keyword) {
    case 'if':
      return undefined;
    case 'additionalProperties':
      return unknownName(error.params.additionalProperty, pointer, schema);
    case 'required': {
      const { missingProperty } = error.params;
      const subject = pointer === '' ? 'the profile' : name;
      // `required` is in the `then` or `else` of the schema with the condition and the properties.
      const [conditional] = /\/(?:then|else)\/required$/.exec(error.schemaPath) ?? [];
      const owner = conditional === undefined ? schema : schemaAt(root, error.schemaPath.slice(1, -conditional.length));
      const when = conditional === undefined ? '' : formatCondition(valueAt(data, error.instancePath), owner);
      return at(
        `The setting "${missingProperty}" is missing in ${subject}${when}.`,
        exampleFor(missingProperty, owner),
      );
    }
    case 'type':
      return at(
        `${name} must be ${typeName(error.params.type)}, and is ${value}.`,
        formatExample(schema, error.params.type),
      );
    case 'enum':
      return at(`${name} has the unknown value ${value}.`, `Known are: ${formatList(error.params.allowedValues)}.`);
    case 'const':
      return at(`${name} has the unknown value ${value}.`, `Known is: ${JSON.stringify(error.params.allowedValue)}.`);
    case 'pattern':
      return at(`${name} has not the right form: ${value}.`, formatExample(schema, 'string', error.params.pattern));
    case 'minLength':
      return at(
        value === '""' ? `${name} is empty.` : `${name} is too short: ${value}.`,
        `Write at least ${counted(error.params.limit, 'character')}.`,
      );
    case 'maxLength':
      return at(`${name} is too long: ${value}.`, `Write at most ${counted(error.params.limit, 'character')}.`);
    case 'minItems':
      return at(
        value === '[]' ? `${name} is an empty list.` : `${name} has too few entries.`,
        `Name at least ${counted(error.params.limit, 'entry')}, or take the setting out for its default.`,
      );
    case 'maxItems':
      return at(`${name} has too many entries.`, `Name at most ${counted(error.params.limit, 'entry')}.`);
    case 'uniqueItems':
      return {
        pointer: `${pointer}/${error.params.i}`,
        cause: `${name} names ${JSON.stringify(valueAt(data, `${error.instancePath}/${error.params.i}`))} twice.`,
        remedy: 'Name each once.',
      };
    case 'minimum':
    case 'exclusiveMinimum':
      return at(`${name} is too small: ${value}.`, `Write a number ${error.params.comparison} ${error.params.limit}.`);
    case 'maximum':
    case 'exclusiveMaximum':
      return at(`${name} is too large: ${value}.`, `Write a number ${error.params.comparison} ${error.params.limit}.`);
    default:
      return at(`${name} is not valid: it ${error.message ?? 'does not fit its schema'}.`, schemaHint);
  }
}

const schemaHint = 'profiles/profile.schema.json describes it; an editor completes from it.';

function unknownName(unknown: string, pointer: string, schema: Schema): DescribedError {
  const kind = pointer === '/plugins' ? 'plugin' : 'setting';
  const known = Object.keys((schema['properties'] as object | undefined) ?? {}).filter((name) => name !== '$schema');
  const near = findNearestName(unknown, known);
  const suggestion = near === undefined ? '' : `Did you mean the ${kind} '${near}'? `;
  return {
    pointer: `${pointer}/${escapePointer(unknown)}`,
    cause: `There is no ${kind} '${unknown}'.`,
    remedy: `${suggestion}Known here: ${known.join(', ') || 'nothing'}.`,
  };
}

const schemaAt = (root: unknown, pointer: string): Schema => (valueAt(root, pointer) ?? {}) as Schema;

/** `, which must be set where engine is "external"`: why a schema's `then` or `else` requires something. */
function formatCondition(data: unknown, schema: Schema): string {
  const { properties = {} } = (schema['if'] ?? {}) as { readonly properties?: Readonly<Record<string, Schema>> };
  const settings = Object.keys(properties).map(
    (name) => `${name} is ${JSON.stringify((data as Readonly<Record<string, unknown>>)[name])}`,
  );
  return settings.length === 0 ? '' : `, which must be set where ${settings.join(' and ')}`;
}

function exampleFor(name: string, schema: Schema): string {
  const properties = schema['properties'] as Readonly<Record<string, Schema>> | undefined;
  const described = properties?.[name]?.['description'];
  return `Add "${name}".${typeof described === 'string' ? ` What it decides: ${described}` : ` ${schemaHint}`}`;
}

/** A schema's example is clearer than its pattern. */
function formatExample(schema: Schema, type: string, pattern?: string): string {
  const [example = schema['default']] = (schema['examples'] as readonly unknown[] | undefined) ?? [];
  if (example !== undefined) return `Write it like ${JSON.stringify(example)}.`;
  if (pattern !== undefined)
    return addressPattern.test(pattern) ? 'Write it like "https://service.example/path".' : `It must match ${pattern}.`;
  return `${writtenAs[type] ?? ''}${schemaHint}`;
}

const addressPattern = /^\^https\?:/;
const writtenAs: Readonly<Record<string, string>> = {
  string: 'Write it in double quotes. ',
  boolean: 'Write true or false without quotes. ',
  number: 'Write the number without quotes. ',
  integer: 'Write the number without quotes. ',
  object: 'Write it as { "name": value }. ',
  array: 'Write it as [value, value]. ',
};
const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  number: 'a number',
  integer: 'a whole number',
  object: 'an object',
  array: 'a list',
  null: 'null',
};
const typeName = (type: string): string => typeNames[type] ?? `of the type ${type}`;

const formatList = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');
const counted = (count: number, noun: 'character' | 'entry'): string =>
  `${count} ${count === 1 ? noun : noun === 'entry' ? 'entries' : `${noun}s`}`;

/** `login.type` for the pointer `/login/type`. */
function settingName(pointer: string): string {
  return pointer === ''
    ? 'The profile'
    : `"${pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')}"`;
}

function valueAt(data: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined,
      data,
    );
}
