import { buffer } from 'node:stream/consumers';
import type { FileStore } from '#core/server';
import type { StoredObject } from './model-objects.ts';

interface GlbNode {
  readonly name?: string;
  readonly mesh?: number;
  readonly children?: readonly number[];
  readonly extras?: Readonly<Record<string, unknown>>;
}

interface GlbDescription {
  readonly scene?: number;
  readonly scenes?: readonly { readonly nodes?: readonly number[] }[];
  readonly nodes?: readonly GlbNode[];
}

/** Reads the objects of a stored GLB in their order. Loads only the JSON chunk, not the geometry. */
export async function readGlbObjects(files: FileStore, id: string): Promise<readonly StoredObject[]> {
  const header = await buffer(await files.read(id, { start: 0, end: 19 }));
  const length = header.readUInt32LE(12);
  const description = JSON.parse(
    (await buffer(await files.read(id, { start: 20, end: 19 + length }))).toString('utf8'),
  ) as GlbDescription;
  const nodes = description.nodes ?? [];
  const objects: StoredObject[] = [];
  const stack = (description.scenes?.[description.scene ?? 0]?.nodes ?? [])
    .toReversed()
    .map((index) => ({ index, within: [] as readonly string[] }));
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const { index, within } = entry;
    const node = nodes[index];
    if (!node) continue;
    const extras = node.extras ?? {};
    const name = toText(extras['name']) ?? node.name ?? '';
    const key = toText(extras['object']) ?? name;
    const tag = toText(extras['tag']);
    if (key !== '') objects.push({ key, name: name === '' ? (tag ?? key) : name, within, tag });
    const childPath = key === '' ? within : [...within, name === '' ? key : name];
    for (const child of (node.children ?? []).toReversed()) stack.push({ index: child, within: childPath });
  }
  return objects;
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
