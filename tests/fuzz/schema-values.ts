import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';

interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly items?: TSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/** Meaningful values by the name of a field. */
export type Meanings = Readonly<Record<string, readonly unknown[]>>;

export interface ValueOptions {
  readonly meanings: Meanings;
  /** Whether only values at the limits of the schema are generated. */
  readonly atBounds: boolean;
}

const maxListItems = 50;

/** Generates valid values for a schema. Prefers meaningful values that the schema accepts. */
export function arbitraryValues(schema: TSchema, options: ValueOptions, name = ''): fc.Arbitrary<unknown> {
  const shape: Shape = schema;
  const meaningfulValues = (options.meanings[name] ?? []).filter((value) => Check(schema, value));
  const any = arbitraryByType(shape, options, name);
  return meaningfulValues.length > 0 && !options.atBounds
    ? fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...meaningfulValues) }, { weight: 1, arbitrary: any })
    : any;
}

function arbitraryByType(shape: Shape, options: ValueOptions, name: string): fc.Arbitrary<unknown> {
  if (shape.examples) return fc.constantFrom(...shape.examples);
  if (shape.const !== undefined) return fc.constant(shape.const);
  if (shape.enum) return fc.constantFrom(...shape.enum);
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map((option) => arbitraryValues(option, options, name)));
  switch (shape.type) {
    case 'object':
      return arbitraryObjects(shape, options);
    case 'array':
      return arbitraryLists(shape, options, name);
    case 'integer':
      return arbitraryIntegers(shape, options.atBounds);
    case 'number':
      return arbitraryNumbers(shape, options.atBounds);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return arbitraryTexts(shape, options.atBounds);
  }
}

function arbitraryObjects(
  { properties = {}, patternProperties = {}, required = [] }: Shape,
  options: ValueOptions,
): fc.Arbitrary<unknown> {
  const [memberSchema] = Object.values(patternProperties);
  if (memberSchema)
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 12 }), arbitraryValues(memberSchema, options), {
      maxKeys: 5,
    });
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, arbitraryValues(schema, options, name)]),
  );
  return fc.record(members, { requiredKeys: [...required], noNullPrototype: true });
}

function arbitraryLists(
  { items, minItems = 0, maxItems = 5 }: Shape,
  options: ValueOptions,
  name: string,
): fc.Arbitrary<unknown> {
  const itemValues = items ? arbitraryValues(items, options, name) : fc.constant(null);
  const max = Math.min(maxItems, maxListItems);
  if (options.atBounds)
    return fc.oneof(
      fc.array(itemValues, { minLength: minItems, maxLength: minItems }),
      fc.array(itemValues, { minLength: max, maxLength: max }),
    );
  return fc.array(itemValues, { minLength: minItems, maxLength: Math.min(max, minItems + 3) });
}

const int4 = { min: -(2 ** 31), max: 2 ** 31 - 1 } as const;

function arbitraryIntegers({ minimum, maximum }: Shape, atBounds: boolean): fc.Arbitrary<number> {
  const [min, max] = [minimum ?? int4.min, maximum ?? int4.max];
  return atBounds
    ? fc.constantFrom(min, max)
    : fc.oneof(fc.constant(Math.max(min, Math.min(0, max))), fc.integer({ min, max }));
}

function arbitraryNumbers({ minimum, maximum, exclusiveMinimum }: Shape, atBounds: boolean): fc.Arbitrary<number> {
  const exclusiveBound = exclusiveMinimum === undefined ? {} : { min: exclusiveMinimum, minExcluded: true };
  const bounds = {
    ...(minimum === undefined ? {} : { min: minimum }),
    ...exclusiveBound,
    ...(maximum === undefined ? {} : { max: maximum }),
  };
  const all = fc.double({ ...bounds, noNaN: true, noDefaultInfinity: true });
  const limits = [minimum, maximum].filter((end) => end !== undefined);
  if (atBounds && limits.length > 0) return fc.constantFrom(...limits);
  if (atBounds) return fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, -0);
  const [min, max] = [Math.max(minimum ?? exclusiveMinimum ?? -100, -100), Math.min(maximum ?? 100, 100)];
  return fc.oneof(
    { weight: 4, arbitrary: fc.double({ min: min + 0.001, max, noNaN: true }) },
    { weight: 1, arbitrary: all },
  );
}

const instants = fc
  .date({ min: new Date('1900-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const instantsAtBounds = fc.constantFrom(
  '1900-01-01T00:00:00+14:59',
  '9999-12-31T23:59:59.999999999-14:59',
  '2024-02-29T23:59:59Z',
  '2026-01-01T00:00:00.000000001Z',
);

function arbitraryTexts({ pattern, format, minLength = 0, maxLength }: Shape, atBounds: boolean): fc.Arbitrary<string> {
  if (format === 'date-time') return atBounds ? instantsAtBounds : instants;
  if (pattern !== undefined && pattern !== '\\S') return fc.stringMatching(new RegExp(pattern, 'u'));
  if (!atBounds) {
    const length = { minLength, maxLength: Math.min(maxLength ?? 40, Math.max(minLength, 40)) };
    const text = fc.oneof(
      { weight: 3, arbitrary: fc.string(length) },
      { weight: 1, arbitrary: fc.string({ ...length, unit: 'binary' }).map((value) => value.replaceAll('\0', 'x')) },
    );
    return pattern === undefined ? text : text.filter((value) => /\S/.test(value));
  }
  const characters = fc.constantFrom('x', 'é', '\u202e', '\u{1d11e}', '%', '*', '\\', "'", '(', '\u0001');
  return fc
    .tuple(characters, fc.constantFrom(minLength, maxLength ?? 1000))
    .map(([character, length]) => character.repeat(length));
}
