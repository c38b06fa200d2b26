import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';
import { listCatalogues, root } from './list-catalogues.ts';

/** A node of the syntax tree (ESTree). */
interface Node {
  readonly type: string;
  readonly [property: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

function* walk(value: unknown): Iterable<Node> {
  if (Array.isArray(value)) for (const item of value) yield* walk(item);
  else if (isNode(value)) {
    yield value;
    for (const child of Object.values(value)) yield* walk(child);
  }
}

/** The texts that an expression may have: `'a'`, `cond ? 'a' : 'b'`. */
function listLiterals(node: unknown): readonly string[] {
  if (!isNode(node)) return [];
  if (node.type === 'ConditionalExpression')
    return [...listLiterals(node['consequent']), ...listLiterals(node['alternate'])];
  return node.type === 'Literal' && typeof node['value'] === 'string' ? [node['value']] : [];
}

/** The names of an object literal. Undefined if it contains a spread or computed names, or is no object literal. */
function listNames(node: unknown): readonly string[] | undefined {
  if (node === undefined) return [];
  if (!isNode(node) || node.type !== 'ObjectExpression') return undefined;
  const names = (node['properties'] as readonly Node[]).map(({ key, computed }) => {
    if (!isNode(key) || computed) return undefined;
    return key.type === 'Identifier' ? String(key['name']) : String(key['value']);
  });
  return names.every((name) => name !== undefined) ? names : undefined;
}

/** Placeholders and arguments of plurals and selections, at any depth. */
function listPlaceholders(elements: readonly MessageFormatElement[]): readonly string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return [];
    if (element.type === TYPE.tag) return listPlaceholders(element.children);
    const options = element.type === TYPE.plural || element.type === TYPE.select ? Object.values(element.options) : [];
    return [element.value, ...options.flatMap(({ value }) => listPlaceholders(value))];
  });
}

/** Texts of both languages: each may use a value that the other one does not need. */
function readPlaceholders(): ReadonlyMap<string, ReadonlySet<string>> {
  const placeholders = new Map<string, Set<string>>();
  for (const file of listCatalogues(/^(en|fr)$/)) {
    const texts = JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Record<string, string>;
    for (const [id, text] of Object.entries(texts)) {
      const names = placeholders.get(id) ?? new Set();
      for (const name of listPlaceholders(parse(text))) names.add(name);
      placeholders.set(id, names);
    }
  }
  return placeholders;
}

/** A literal such as `'roles.at'`. */
const messageId = /'[\w-]+\.[\w.-]+'/;

interface MessageUse {
  readonly ids: readonly string[];
  readonly names: readonly string[];
}

/** Calls such as `t('id', { … })`, and objects such as `{ message: 'id', values: { … } }`. */
function listUses(file: string): readonly MessageUse[] {
  const source = readFileSync(path.join(root, file), 'utf8');
  if (!messageId.test(source)) return [];
  const { program } = parseSync(file, source);
  return [...walk(program)].flatMap((node) => {
    if (node.type === 'CallExpression') {
      const [id, values] = node['arguments'] as readonly unknown[];
      const isText = isNode(node['callee']) && node['callee']['name'] === 't';
      const names = values === undefined && !isText ? undefined : listNames(values);
      return names ? [{ ids: listLiterals(id), names }] : [];
    }
    if (node.type !== 'ObjectExpression') return [];
    const find = (name: string): unknown =>
      (node['properties'] as readonly Node[]).find(({ key }) => isNode(key) && key['name'] === name)?.['value'];
    const names = listNames(find('values'));
    return find('values') !== undefined && names ? [{ ids: listLiterals(find('message')), names }] : [];
  });
}

it('finds exactly the values that a text needs where a literal gives them', () => {
  const placeholders = readPlaceholders();
  const files = ['core', 'plugins'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => path.join(folder, name)),
  );
  const uses = files.flatMap((file) =>
    listUses(file)
      .map(({ ids, names }) => ({ file, names, ids: ids.filter((id) => placeholders.has(id)) }))
      .filter(({ ids }) => ids.length > 0),
  );
  expect(uses.filter(({ names }) => names.length > 0).length).toBeGreaterThan(300);
  const faults = uses.flatMap(({ file, ids, names }) => {
    const expected = new Set(ids.flatMap((id) => [...(placeholders.get(id) ?? [])]));
    return [
      ...[...expected]
        .filter((name) => !names.includes(name))
        .map((name) => `${file}: ${ids.join(', ')} lacks ${name}`),
      ...names.filter((name) => !expected.has(name)).map((name) => `${file}: ${ids.join(', ')} has no ${name}`),
    ];
  });
  expect(faults).toEqual([]);
});
