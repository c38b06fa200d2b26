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

/** The objects of a stored GLB in their order. Reads only the JSON chunk, not the geometry. */
export async function readGlbObjects(files: FileStore, id: string): Promise<readonly StoredObject[]> {
  const head = await buffer(await files.read(id, { start: 0, end: 19 }));
  const length = head.readUInt32LE(12);
  const description = JSON.parse(
    (await buffer(await files.read(id, { start: 20, end: 19 + length }))).toString('utf8'),
  ) as GlbDescription;
  const nodes = description.nodes ?? [];
  const found: StoredObject[] = [];
  const waiting = (description.scenes?.[description.scene ?? 0]?.nodes ?? [])
    .toReversed()
    .map((index) => ({ index, within: [] as readonly string[] }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { index, within } = next;
    const node = nodes[index];
    if (!node) continue;
    const extras = node.extras ?? {};
    const name = toText(extras['name']) ?? node.name ?? '';
    const key = toText(extras['object']) ?? name;
    const tag = toText(extras['tag']);
    if (key !== '') found.push({ key, name: name === '' ? (tag ?? key) : name, within, tag });
    const inside = key === '' ? within : [...within, name === '' ? key : name];
    for (const child of (node.children ?? []).toReversed()) waiting.push({ index: child, within: inside });
  }
  return found;
}

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;
