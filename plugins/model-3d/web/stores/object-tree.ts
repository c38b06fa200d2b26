import type { ModelMapping } from '../../contract/index.ts';
import type { ModelObject } from '../viewer/model-content.ts';

/** Applies the mappings of admins, which take precedence over the file. */
export function applyMappings(
  objects: readonly ModelObject[],
  mappings: readonly ModelMapping[],
): readonly ModelObject[] {
  const targets = new Map(
    mappings.map((mapping) => [`${mapping.kind} ${mapping.model} ${mapping.object}`, mapping.target]),
  );
  if (targets.size === 0) return objects;
  const findTarget = (
    kind: ModelMapping['kind'],
    object: ModelObject,
    inFile: string | undefined,
  ): string | undefined => {
    const target = targets.get(`${kind} ${object.model} ${object.key}`);
    return target === undefined ? inFile : (target ?? undefined);
  };
  return objects.map((object) => ({
    ...object,
    tag: findTarget('TAG', object, object.tag),
    node: findTarget('NODE', object, object.node),
  }));
}

/** One row of the tree. */
export interface TreeRow {
  readonly object: ModelObject;
  readonly depth: number;
  readonly expandable: boolean;
  readonly expanded: boolean;
  /** Position among its siblings and their number, for screen readers. */
  readonly position: number;
  readonly siblings: number;
}

/** Hierarchy of the objects, and its search. */
export class ObjectTree {
  readonly objects: readonly ModelObject[];
  readonly #children = new Map<number | undefined, number[]>();
  readonly #byTag = new Map<string, number>();
  readonly #text: readonly string[];

  constructor(objects: readonly ModelObject[]) {
    this.objects = objects;
    for (const { id, parent, tag } of objects) {
      const siblings = this.#children.get(parent) ?? [];
      siblings.push(id);
      this.#children.set(parent, siblings);
      if (tag !== undefined && !this.#byTag.has(tag)) this.#byTag.set(tag, id);
    }
    this.#text = objects.map((object) =>
      `${object.name} ${object.tag ?? ''} ${object.properties.map(([, value]) => value).join(' ')}`.toLowerCase(),
    );
  }

  getChildren(id: number | undefined): readonly number[] {
    return this.#children.get(id) ?? [];
  }

  /** The object of the first of these tags that any object has; of several objects the first. */
  withTag(...tags: readonly string[]): number | undefined {
    const found = tags.find((tag) => this.#byTag.has(tag));
    return found === undefined ? undefined : this.#byTag.get(found);
  }

  /** The object itself and all below it. */
  below(id: number): readonly number[] {
    const found = [id];
    for (let at = 0; at < found.length; at++) found.push(...this.getChildren(found[at]!));
    return found;
  }

  /** Path from its root to the object itself. */
  pathTo(id: number): readonly number[] {
    const path: number[] = [];
    for (let at: number | undefined = id; at !== undefined; at = this.objects[at]?.parent) path.unshift(at);
    return path;
  }

  /** The nearest ancestor with a tag, else the object itself: what a click on a part selects. */
  meant(id: number): number {
    return this.pathTo(id).findLast((step) => this.objects[step]?.tag !== undefined) ?? id;
  }

  /** Rows in order. With `words` only objects that contain all of them, with their ancestors, all expanded. */
  rows(expanded: ReadonlySet<number>, words: string): readonly TreeRow[] {
    const wanted = words.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const shown =
      wanted.length === 0
        ? undefined
        : new Set(
            this.objects
              .filter(({ id }) => wanted.every((word) => this.#text[id]?.includes(word)))
              .flatMap(({ id }) => this.pathTo(id)),
          );
    const rows: TreeRow[] = [];
    const visit = (parent: number | undefined, depth: number): void => {
      const siblings = this.getChildren(parent).filter((id) => shown?.has(id) ?? true);
      for (const [index, id] of siblings.entries()) {
        const object = this.objects[id];
        if (!object) continue;
        const expandable = this.getChildren(id).some((child) => shown?.has(child) ?? true);
        const open = expandable && (shown !== undefined || expanded.has(id));
        rows.push({ object, depth, expandable, expanded: open, position: index + 1, siblings: siblings.length });
        if (open) visit(id, depth + 1);
      }
    };
    visit(undefined, 0);
    return rows;
  }
}
