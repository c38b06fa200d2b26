import type { DefinedError } from 'ajv/dist/2020.js';
import { findNearestName } from '../../core/common/format/find-nearest-name.ts';
import { escapePointer } from './read-profile-file.ts';

export interface DescribedError {
  /** JSON pointer to the wrong value in the profile, or to the object in which a value is missing. */
  readonly pointer: string;
  readonly cause: string;
  readonly remedy: string;
}

type Schema = { readonly [keyword: string]: unknown };

/**
 * Describes a schema error in two sentences: the cause and the remedy. Returns undefined for an error that only
 * summarises others.
 *
 * @param data the checked value
 * @param rootSchema its schema
 * @param parentPointer JSON pointer of `data` in the profile
 */
export function describeSchemaError(
  error: DefinedError,
  data: unknown,
  rootSchema: unknown,
  parentPointer: string,
): DescribedError | undefined {
  const pointer = `${parentPointer}${error.instancePath}`;
  const name = formatSettingName(pointer);
  const value = JSON.stringify(getValueAt(data, error.instancePath));
  const schema = (error.parentSchema ?? {}) as Schema;
  const describeAt = (cause: string, remedy: string): DescribedError => ({ pointer, cause, remedy });
  switch (error.keyword) {
    case 'if':
      return undefined;
    case 'additionalProperties':
      return describeUnknownName(error.params.additionalProperty, pointer, schema);
    case 'required': {
      const { missingProperty } = error.params;
      const subject = pointer === '' ? 'the profile' : name;
      // `required` is in the `then` or `else` of the schema with the condition and the properties.
      const [branchSuffix] = /\/(?:then|else)\/required$/.exec(error.schemaPath) ?? [];
      const ownerSchema =
        branchSuffix === undefined ? schema : getSchemaAt(rootSchema, error.schemaPath.slice(1, -branchSuffix.length));
      const condition =
        branchSuffix === undefined ? '' : formatCondition(getValueAt(data, error.instancePath), ownerSchema);
      return describeAt(
        `The setting "${missingProperty}" is missing in ${subject}${condition}.`,
        describeMissing(missingProperty, ownerSchema),
      );
    }
    case 'type':
      return describeAt(
        `${name} must be ${formatType(error.params.type)}, and is ${value}.`,
        formatExample(schema, error.params.type),
      );
    case 'enum':
      return describeAt(
        `${name} has the unknown value ${value}.`,
        `Possible values: ${formatList(error.params.allowedValues)}.`,
      );
    case 'const':
      return describeAt(
        `${name} has the unknown value ${value}.`,
        `The only possible value is ${JSON.stringify(error.params.allowedValue)}.`,
      );
    case 'pattern':
      return describeAt(
        `${name} has the wrong format: ${value}.`,
        formatExample(schema, 'string', error.params.pattern),
      );
    case 'minLength':
      return describeAt(
        value === '""' ? `${name} is empty.` : `${name} is too short: ${value}.`,
        `Write at least ${formatCount(error.params.limit, 'character')}.`,
      );
    case 'maxLength':
      return describeAt(
        `${name} is too long: ${value}.`,
        `Write at most ${formatCount(error.params.limit, 'character')}.`,
      );
    case 'minItems':
      return describeAt(
        value === '[]' ? `${name} is an empty list.` : `${name} has too few entries.`,
        `Name at least ${formatCount(error.params.limit, 'entry')}, or remove the setting to use its default.`,
      );
    case 'maxItems':
      return describeAt(`${name} has too many entries.`, `Name at most ${formatCount(error.params.limit, 'entry')}.`);
    case 'uniqueItems':
      return {
        pointer: `${pointer}/${error.params.i}`,
        cause: `${name} names ${JSON.stringify(getValueAt(data, `${error.instancePath}/${error.params.i}`))} twice.`,
        remedy: 'Name each once.',
      };
    case 'minimum':
    case 'exclusiveMinimum':
      return describeAt(
        `${name} is too small: ${value}.`,
        `Write a number ${error.params.comparison} ${error.params.limit}.`,
      );
    case 'maximum':
    case 'exclusiveMaximum':
      return describeAt(
        `${name} is too large: ${value}.`,
        `Write a number ${error.params.comparison} ${error.params.limit}.`,
      );
    default:
      return describeAt(`${name} is not valid: it ${error.message ?? 'does not fit its schema'}.`, schemaHint);
  }
}

const schemaHint = 'See profiles/profile.schema.json, which editors use for completion.';

function describeUnknownName(unknownName: string, pointer: string, schema: Schema): DescribedError {
  const kind = pointer === '/plugins' ? 'plugin' : 'setting';
  const knownNames = Object.keys((schema['properties'] as object | undefined) ?? {}).filter(
    (name) => name !== '$schema',
  );
  const nearest = findNearestName(unknownName, knownNames);
  const suggestion = nearest === undefined ? '' : `Did you mean the ${kind} '${nearest}'? `;
  return {
    pointer: `${pointer}/${escapePointer(unknownName)}`,
    cause: `There is no ${kind} '${unknownName}'.`,
    remedy: `${suggestion}Known here: ${knownNames.join(', ') || 'nothing'}.`,
  };
}

const getSchemaAt = (rootSchema: unknown, pointer: string): Schema => (getValueAt(rootSchema, pointer) ?? {}) as Schema;

/** The condition of a schema's `if` as a clause, such as `, which must be set if engine is "external"`. */
function formatCondition(data: unknown, schema: Schema): string {
  const { properties = {} } = (schema['if'] ?? {}) as { readonly properties?: Readonly<Record<string, Schema>> };
  const settings = Object.keys(properties).map(
    (name) => `${name} is ${JSON.stringify((data as Readonly<Record<string, unknown>>)[name])}`,
  );
  return settings.length === 0 ? '' : `, which must be set if ${settings.join(' and ')}`;
}

function describeMissing(name: string, schema: Schema): string {
  const properties = schema['properties'] as Readonly<Record<string, Schema>> | undefined;
  const description = properties?.[name]?.['description'];
  return `Add "${name}".${typeof description === 'string' ? ` It has this meaning: ${description}` : ` ${schemaHint}`}`;
}

/** Explains the expected value by the schema's example, which is clearer than its pattern. */
function formatExample(schema: Schema, type: string, pattern?: string): string {
  const [example = schema['default']] = (schema['examples'] as readonly unknown[] | undefined) ?? [];
  if (example !== undefined) return `Write it like ${JSON.stringify(example)}.`;
  if (pattern !== undefined)
    return urlPattern.test(pattern) ? 'Write it like "https://service.example/path".' : `It must match ${pattern}.`;
  return `${notations[type] ?? ''}${schemaHint}`;
}

const urlPattern = /^\^https\?:/;
const notations: Readonly<Record<string, string>> = {
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
const formatType = (type: string): string => typeNames[type] ?? `of the type ${type}`;

const formatList = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');
const formatCount = (count: number, noun: 'character' | 'entry'): string =>
  `${count} ${count === 1 ? noun : noun === 'entry' ? 'entries' : `${noun}s`}`;

/** The name of a setting in messages, such as `"login.type"` for the pointer `/login/type`. */
function formatSettingName(pointer: string): string {
  return pointer === ''
    ? 'The profile'
    : `"${pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')}"`;
}

function getValueAt(data: unknown, pointer: string): unknown {
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
