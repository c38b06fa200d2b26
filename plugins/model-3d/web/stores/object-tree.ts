import type { ModelMapping } from '../../contract/index.ts';
import type { ModelObject } from '../viewer/model-content.ts';

/** Applies mappings, which take precedence over the file. */
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

/** Names that exporters give to nodes without a meaning of their own, and file names. */
const wrapperName =
  /^(?:root[ _]?node|root|scene|auxscene|gltf[ _]?scenerootnode|sketchfab[ _]?(?:model|scene)|.+\.(?:fbx|obj|gltf|glb|dae|stl|3ds|step|stp|ifc))$/i;
/** Names that exporters give to shapes and groups without a name, such as `Mesh_12` and `CYLINDER 1 of EQUI /P-101`. */
const genericName =
  /^(?:(?:node|group|object|mesh|geometry|shape|part|body|solid|null|empty|transform|default|primitive|poly(?:gon|surface)?|box|cyl(?:inder|i)?|cone|snout|dish|sphere|torus|ctorus|rtorus|pyramid)?[ _.:-]*\d*|[a-z]+ \d+ of .+)$/i;
/** A tag number, such as `P-101A`, `/V-1101`, `10-PSV-1001` or `24"-PG-10052`. */
const tagName = /^\/?(?:\d{1,4}"?-)?[A-Z]{1,5}[-_ ]?\d{2,6}[A-Z]?(?:[-/][A-Z0-9]{1,8})*$/;
/** Names of areas. Followed by a number, they look like tag numbers. */
const areaName = /^\/?(?:AREA|UNIT|DECK|LEVEL|FLOOR|ZONE|SITE|ROOM|HALL|PIPE|EQUI)(?![A-Z])/;
/** Names of nozzles and branches, which are parts of their parent object: `N12`, `/V-1101/N1`, `/24"-PG-10052/B1`. */
const partName = /^(?:.+\/[A-Z]{1,2}|N)\d{1,2}[A-Z]?$/;

/** Types of IFC that structure a building, such as rooms, whose names may look like tag numbers too. */
const spatialType =
  /^IFC(?:PROJECT|SITE|FACILITY(?:PART)?|BUILDING(?:STOREY)?|SPACE|(?:SPATIAL|EXTERNALSPATIAL)[A-Z]+)$/i;

/** Number of tree levels above the equipment: the model and its areas. */
const areaLevels = 2;

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
  /** Objects without a row, because they only repeat the object above or below them. */
  readonly #wrappers: ReadonlySet<number>;

  constructor(objects: readonly ModelObject[]) {
    this.objects = objects;
    for (const { id, parent, tag } of objects) {
      const siblings = this.#children.get(parent) ?? [];
      siblings.push(id);
      this.#children.set(parent, siblings);
      if (tag !== undefined && !this.#byTag.has(tag)) this.#byTag.set(tag, id);
    }
    this.#wrappers = new Set(objects.flatMap(({ id }) => (this.#isWrapper(id) ? [id] : [])));
    this.#searchTexts = objects.map((object) =>
      `${object.name} ${object.tag ?? ''} ${object.properties.map(([, value]) => value).join(' ')}`.toLowerCase(),
    );
  }

  getChildren(id: number | undefined): readonly number[] {
    return this.#children.get(id) ?? [];
  }

  /** The children as the tree shows them. The children of a wrapper take its place. */
  listRowChildren(id: number | undefined): readonly number[] {
    return this.getChildren(id).flatMap((child) => (this.#wrappers.has(child) ? this.listRowChildren(child) : [child]));
  }

  /** Finds the nearest ancestor that has a row. */
  findParent(id: number): number | undefined {
    return this.getPath(id)
      .slice(0, -1)
      .findLast((step) => !this.#wrappers.has(step));
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

  /**
   * Finds the object that a click on a part selects: the equipment instead of its shape. This is the nearest object
   * with a tag, or else with the name of one, or else the assembly or the object itself that a person has named.
   */
  findSelectable(id: number): number {
    const path = this.getPath(id);
    return (
      path.findLast((step) => this.objects[step]?.tag !== undefined) ??
      path.findLast((step) => this.#isNamedLikeTag(step) && !this.#containsEquipment(step)) ??
      this.#findNamed(path, id)
    );
  }

  #findNamed(path: readonly number[], id: number): number {
    const rows = path.filter((step) => !this.#wrappers.has(step));
    const namedRow = rows.findLast((step) => !this.#isGeneric(step));
    const row = rows.at(-1);
    if (row === undefined || row === path[0]) return id;
    // A shape without a name belongs to the equipment, but not to the area or the model above it.
    if (
      namedRow === undefined ||
      namedRow === path[0] ||
      !this.#everyDescendant(namedRow, (part) => this.#isGeneric(part))
    )
      return rows[rows.indexOf(namedRow ?? row) + 1] ?? row;
    const parent = rows.at(rows.indexOf(namedRow) - 1);
    return parent !== undefined && rows.indexOf(parent) >= areaLevels && this.#isAssembly(parent) ? parent : namedRow;
  }

  /** Whether a named group consists of different parts without data of their own, such as a shell and its nozzles. */
  #isAssembly(id: number): boolean {
    const stems = new Set(
      this.listRowChildren(id).map((child) => (this.objects[child]?.name ?? '').replace(/[\W_\d]+$/, '')),
    );
    return !this.#isGeneric(id) && stems.size > 1 && this.#everyDescendant(id, (part) => this.#isPlain(part));
  }

  #everyDescendant(id: number, isPart: (part: number) => boolean): boolean {
    return this.getSubtree(id).every((part) => part === id || isPart(part));
  }

  #containsEquipment(id: number): boolean {
    return !this.#everyDescendant(id, (part) => this.objects[part]?.tag === undefined && !this.#isNamedLikeTag(part));
  }

  #isNamedLikeTag(id: number): boolean {
    const object = this.objects[id];
    if (object?.parent === undefined || !tagName.test(object.name)) return false;
    if ([genericName, areaName, partName].some((pattern) => pattern.test(object.name))) return false;
    return !object.properties.some(([, value]) => spatialType.test(value));
  }

  /** Whether the file states nothing about the object except its name. */
  #isPlain(id: number): boolean {
    const object = this.objects[id];
    return object !== undefined && object.tag === undefined && object.node === undefined && !object.properties.length;
  }

  /** Whether no person has named the object: its name is from an exporter, or repeats the name of its parent. */
  #isGeneric(id: number): boolean {
    const object = this.objects[id];
    if (object?.parent === undefined || !this.#isPlain(id)) return false;
    return genericName.test(object.name) || wrapperName.test(object.name) || this.#repeatsParent(object);
  }

  /** Whether it is an only child and a shape that is named after its parent, such as `Tanker_Steel_0` in `Tanker`. */
  #repeatsParent({ id, name, parent }: ModelObject): boolean {
    const parentName = parent === undefined ? '' : (this.objects[parent]?.name ?? '');
    return (
      this.getChildren(parent).length === 1 &&
      this.getChildren(id).length === 0 &&
      parentName !== '' &&
      (name === parentName || (name.startsWith(parentName) && /^[ _.:]/.test(name.slice(parentName.length))))
    );
  }

  /** Whether it is the only shape of an object that a person has named. */
  #isOnlyShape(id: number, parent: number): boolean {
    const isNamed = this.objects[parent]?.parent !== undefined && !this.#isGeneric(parent);
    return isNamed && this.getChildren(parent).length === 1 && this.#isGeneric(id);
  }

  #isWrapper(id: number): boolean {
    const object = this.objects[id];
    if (object?.parent === undefined || !this.#isPlain(id)) return false;
    const [child, ...otherChildren] = this.getChildren(id);
    if (child === undefined) return this.#isOnlyShape(id, object.parent);
    if (wrapperName.test(object.name)) return true;
    if (otherChildren.length > 0) return false;
    return genericName.test(object.name) || (object.name === this.objects[child]?.name && !this.#isGeneric(child));
  }

  /** Lists the rows in order. A search text selects the objects with all its words, and expands their ancestors. */
  listRows(expandedIds: ReadonlySet<number>, searchText: string): readonly TreeRow[] {
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
      const siblings = this.listRowChildren(parent).filter((id) => matches?.has(id) ?? true);
      for (const [index, id] of siblings.entries()) {
        const object = this.objects[id];
        if (!object) continue;
        const expandable = this.listRowChildren(id).some((child) => matches?.has(child) ?? true);
        const isExpanded = expandable && (matches !== undefined || expandedIds.has(id));
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
