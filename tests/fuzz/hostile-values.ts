import fc from 'fast-check';
import { RawJson } from './raw-json.ts';

const nest = (levels: number, open: string, close: string): RawJson =>
  new RawJson(open.repeat(levels) + '1' + close.repeat(levels));

/**
 * Texts that often cause errors: characters that PostgreSQL cannot store, patterns, rare Unicode, great lengths,
 * invalid dates.
 */
export const hostileTexts: readonly string[] = [
  '\0',
  'a\0b',
  '\ud800',
  'a\udfff',
  '\udc00\ud800',
  '\u202e\u0007\ufeff\uffff',
  '\u0130\u0149\ufb00',
  '',
  ' ',
  '\n',
  'x'.repeat(10_000),
  'x'.repeat(600_000),
  'é'.repeat(3000),
  '\u{1d11e}'.repeat(2000),
  "'; drop table core.location; --",
  '%',
  '%'.repeat(100),
  '*'.repeat(100),
  '('.repeat(100),
  '\\',
  '\\'.repeat(99),
  '../../../etc/passwd',
  '..%2f..%2f',
  'null',
  '__proto__',
  'constructor',
  '-1',
  '1e400',
  'Infinity',
  'NaN',
  '99999999999999999999',
  '2147483648',
  '0000-00-00T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59-14:00',
  '+275760-09-13T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2016-12-31T23:59:60Z',
  '2026-01-01T00:00:00+99:99',
  '2026-01-01T00:00:00+23:59',
  '2026-01-01t00:00:00z',
  `2026-01-01T00:00:00.${'9'.repeat(300)}Z`,
  '00000000-0000-4000-8000-00000000000g',
  '-'.repeat(36),
];

const numbers: readonly unknown[] = [
  -1,
  0.1,
  -0,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  1e21,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.MIN_VALUE,
  ...['1e400', '-1e400', '9223372036854775808', '1e-400', '1E+5', `1${'0'.repeat(400)}`].map(
    (text) => new RawJson(text),
  ),
];

const otherValues: readonly unknown[] = [
  null,
  true,
  [],
  {},
  [[]],
  [null],
  { a: 1 },
  { length: -1 },
  { toString: 1, valueOf: null },
  Array.from({ length: 10_000 }, () => 0),
  Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`x${index}`, index])),
  new RawJson('{"__proto__":{"x":1}}'),
  new RawJson('{"constructor":{"prototype":{"x":1}}}'),
  new RawJson('{"a":1,"a":2}'),
  nest(31, '[', ']'),
  nest(100, '[', ']'),
  nest(5000, '[', ']'),
  nest(5000, '{"a":', '}'),
  nest(100_000, '[', ']'),
];

const leaves = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
  { weight: 2, arbitrary: fc.constantFrom(...numbers) },
  { weight: 2, arbitrary: fc.constantFrom(...otherValues) },
);

/** A single change of a JSON value: a member is replaced, removed, renamed or added. */
type Change = 'replace' | 'remove' | 'rename' | 'add';
const changes = fc.constantFrom<Change>('replace', 'replace', 'replace', 'remove', 'rename', 'add');

/** Bodies that are not JSON, or JSON that matches no endpoint. */
export const brokenJson: readonly string[] = [
  '',
  ' ',
  '{',
  '[',
  '"',
  'null',
  '1',
  '"text"',
  '[]',
  '{"a":1}x',
  "{'a':1}",
  '\ufeff{}',
  '\0',
  '{"a":"\\ud800"}',
  '{"a":"\\x"}',
  '{"":{}}',
  '{"\\u0000":1}',
  'NaN',
  '['.repeat(200_000),
  '{"a":'.repeat(100_000),
  '"'.repeat(100_001),
  `"${'\\'.repeat(100_000)}`,
];

/** A valid value with one hostile change anywhere in it. */
export function makeHostile(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(valid, fc.nat(), changes, leaves)
    .map(([value, at, change, leaf]) => changeMember(value, at, change, leaf));
}

function changeMember(value: unknown, at: number, change: Change, leaf: unknown): unknown {
  const copy: { root: unknown } = { root: structuredClone(value) };
  const members = listMembers(copy);
  const [holder, name] = members[at % members.length]!;
  const member = holder[name];
  if (change === 'replace' || holder === copy) holder[name] = leaf;
  else {
    if (change !== 'add') Reflect.deleteProperty(holder, name);
    if (change === 'rename') holder[`${name}\0`] = member;
    // A text could be used as an index and make an array huge.
    if (change === 'add' && Array.isArray(holder)) holder.push(leaf);
    else if (change === 'add') holder[typeof leaf === 'string' ? leaf.slice(0, 300) : 'extra'] = leaf;
  }
  return copy.root;
}

type Holder = Record<string, unknown>;

function listMembers(value: object): readonly (readonly [holder: Holder, name: string])[] {
  const holder = value as Holder;
  return Object.entries(holder).flatMap(([name, member]) => [
    [holder, name] as const,
    ...(typeof member === 'object' && member !== null ? listMembers(member) : []),
  ]);
}
