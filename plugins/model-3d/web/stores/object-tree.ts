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
    fileTarget: string | undefined,
  ): string | undefined => {
    const target = targets.get(`${kind} ${object.model} ${object.key}`);
    return target === undefined ? fileTarget : (target ?? undefined);
  };
  return objects.map((object) => ({
    ...object,
    tag: findTarget('TAG', object, object.tag),
    node: findTarget('NODE', object, object.node),
  }));
}

/** A row of the tree as it is rendered. */
export interface TreeRow {
  readonly object: ModelObject;
  readonly depth: number;
  readonly expandable: boolean;
  readonly expanded: boolean;
  /** Position among the siblings, counted from 1, for screen readers. */
  readonly position: number;
  readonly siblingCount: number;
}

/** The hierarchy of the objects, which can be searched. */
export class ObjectTree {
  readonly objects: readonly ModelObject[];
  readonly #children = new Map<number | undefined, number[]>();
  readonly #byTag = new Map<string, number>();
  readonly #searchTexts: readonly string[];

  constructor(objects: readonly ModelObject[]) {
    this.objects = objects;
    for (const { id, parent, tag } of objects) {
      const siblings = this.#children.get(parent) ?? [];
      siblings.push(id);
      this.#children.set(parent, siblings);
      if (tag !== undefined && !this.#byTag.has(tag)) this.#byTag.set(tag, id);
    }
    this.#searchTexts = objects.map((object) =>
      `${object.name} ${object.tag ?? ''} ${object.properties.map(([, value]) => value).join(' ')}`.toLowerCase(),
    );
  }

  getChildren(id: number | undefined): readonly number[] {
    return this.#children.get(id) ?? [];
  }

  /** Finds the first object with one of the tags. Earlier tags take precedence. */
  findByTag(...tags: readonly string[]): number | undefined {
    const usedTag = tags.find((tag) => this.#byTag.has(tag));
    return usedTag === undefined ? undefined : this.#byTag.get(usedTag);
  }

  /** The object itself and all objects below it. */
  getSubtree(id: number): readonly number[] {
    const subtree = [id];
    for (let index = 0; index < subtree.length; index++) subtree.push(...this.getChildren(subtree[index]!));
    return subtree;
  }

  /** The path from the root of the object to the object itself. */
  getPath(id: number): readonly number[] {
    const path: number[] = [];
    for (let step: number | undefined = id; step !== undefined; step = this.objects[step]?.parent) path.unshift(step);
    return path;
  }

  /** Finds the object that a click on a part selects. It is the nearest with a tag on the path, or the part itself. */
  findSelectable(id: number): number {
    return this.getPath(id).findLast((step) => this.objects[step]?.tag !== undefined) ?? id;
  }

  /** Lists the rows in order. A search text selects the objects with all its words, and expands their ancestors. */
  listRows(expanded: ReadonlySet<number>, searchText: string): readonly TreeRow[] {
    const terms = searchText.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const matches =
      terms.length === 0
        ? undefined
        : new Set(
            this.objects
              .filter(({ id }) => terms.every((term) => this.#searchTexts[id]?.includes(term)))
              .flatMap(({ id }) => this.getPath(id)),
          );
    const rows: TreeRow[] = [];
    const visit = (parent: number | undefined, depth: number): void => {
      const siblings = this.getChildren(parent).filter((id) => matches?.has(id) ?? true);
      for (const [index, id] of siblings.entries()) {
        const object = this.objects[id];
        if (!object) continue;
        const expandable = this.getChildren(id).some((child) => matches?.has(child) ?? true);
        const isExpanded = expandable && (matches !== undefined || expanded.has(id));
        rows.push({
          object,
          depth,
          expandable,
          expanded: isExpanded,
          position: index + 1,
          siblingCount: siblings.length,
        });
        if (isExpanded) visit(id, depth + 1);
      }
    };
    visit(undefined, 0);
    return rows;
  }
}
