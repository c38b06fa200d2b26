import type { TSchema } from 'typebox';

interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly items?: TSchema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/** Texts that match the patterns of contracts. */
const texts = [
  'x',
  'a@b.example',
  '123456',
  '0'.repeat(32),
  '00000000-0000-4000-8000-000000000000',
  'aaaa',
  'AA-1',
  'a',
  '2026-01-01',
  '2026-01-01T00:00:00Z',
  '#aabbcc',
  'A1',
  '1',
];

/** Texts by JSON schema format. */
const formats: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  time: '00:00:00Z',
  email: 'a@b.example',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://a.example/',
};

/** A small value that satisfies the schema: only required fields. */
export function buildSample(schema: TSchema | undefined): object {
  const value = schema === undefined ? {} : buildValue(schema);
  return typeof value === 'object' && value !== null ? value : {};
}

function buildValue(schema: TSchema): unknown {
  const shape: Shape = schema;
  if (shape.default !== undefined) return shape.default;
  if (shape.examples?.[0] !== undefined) return shape.examples[0];
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return shape.enum[0];
  if (shape.anyOf?.[0]) return buildValue(shape.anyOf[0]);
  switch (shape.type) {
    case 'object':
      return Object.fromEntries(
        (shape.required ?? []).flatMap((name) =>
          shape.properties?.[name] ? [[name, buildValue(shape.properties[name])]] : [],
        ),
      );
    case 'array':
      return Array.from({ length: shape.minItems ?? 0 }, () => (shape.items ? buildValue(shape.items) : null));
    case 'integer':
    case 'number':
      return shape.minimum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return buildText(shape);
  }
}

function buildText({ pattern, format, minLength = 0 }: Shape): string {
  if (pattern === undefined && format !== undefined) {
    const text = formats[format];
    if (text === undefined) throw new Error(`No sample has the format '${format}': add one to build-sample.ts.`);
    return text;
  }
  const candidates = texts.map((text) => text.padEnd(minLength, 'x'));
  const match = pattern === undefined ? candidates[0] : candidates.find((text) => new RegExp(pattern, 'u').test(text));
  if (match === undefined) throw new Error(`No sample matches the pattern ${pattern}: add one to build-sample.ts.`);
  return match;
}
