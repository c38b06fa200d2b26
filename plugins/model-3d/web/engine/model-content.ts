import type { BufferGeometry, Material, Matrix4 } from 'three';

/** One entry of the object tree. */
export interface ModelObject {
  /** Place in `ModelContent.objects`. */
  readonly id: number;
  /** Undefined for a root. A parent stands before its children. */
  readonly parent: number | undefined;
  readonly name: string;
  /** Id of the model that it belongs to, and its key there: the same from version to version. */
  readonly model: string;
  readonly key: string;
  readonly tag: string | undefined;
  /** Code of the tour node that it was tied to. */
  readonly node: string | undefined;
  /** What the file tells of it. */
  readonly properties: readonly (readonly [name: string, value: string])[];
}

/** Triangles of one object in one material. Parts may share a geometry. */
export interface ModelPart {
  readonly object: number;
  readonly geometry: BufferGeometry;
  readonly material: Material;
  /** Geometry to site frame: metres, z up. */
  readonly matrix: Matrix4;
}

export interface ModelContent {
  readonly objects: readonly ModelObject[];
  readonly parts: readonly ModelPart[];
}

/** One content of several: ids are counted on. */
export function joinContents(contents: readonly ModelContent[]): ModelContent {
  const objects: ModelObject[] = [];
  const parts: ModelPart[] = [];
  for (const content of contents) {
    const first = objects.length;
    for (const object of content.objects) objects.push({ ...object, id: object.id + first, parent: object.parent === undefined ? undefined : object.parent + first });
    for (const part of content.parts) parts.push({ ...part, object: part.object + first });
  }
  return { objects, parts };
}
