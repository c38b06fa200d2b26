// Identifies the objects of a tile: features of its tables, nodes with keys or names, or the whole content.
import path from 'node:path';
import { readExtras, isTriangles, toKey, spreadInstances, findTag } from './model-io.mjs';
import { propertyTable } from './property-table.mjs';

const furtherKeys = ['gml:id', 'gml_id', 'uuid', 'UUID', 'Guid', 'GUID', 'ElementId', 'elementId', 'ElementID'];
const nameKeys = ['name', 'Name', 'NAME'];
const first = (properties, names) =>
  names
    .map((name) => properties[name])
    .find((value) => (typeof value === 'string' && value.trim() !== '') || typeof value === 'number');
const plain = (properties) =>
  Object.fromEntries(
    Object.entries(properties ?? {}).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)),
  );

export class ContentNames {
  #rows;

  constructor(rows) {
    this.#rows = rows;
  }

  /**
   * Writes the key of each object into the nodes' extras and records it. Content without a key belongs to the model
   * itself. `whole`, `alone`: see `TilesetReader.#content`.
   */
  async name({ parts: { document, scenes } }, { whole, alone, properties }) {
    await spreadInstances(document);
    for (const { nodes, name, table, instance, properties: own } of scenes) {
      const stem = name.replace(/\.[^./]+$/, '');
      const all = { ...plain(properties), ...plain(own) };
      if (instance) this.#mark(nodes, this.#row(instance.properties, instance.index, stem));
      else if (!this.#features(document, nodes, table, stem) && !this.#nodes(nodes, stem, alone) && whole && alone)
        this.#mark(nodes, { key: stem, name: path.posix.basename(stem), properties: all });
    }
  }

  /** Records the boxes of a document's objects. */
  reach(scene, collectBoxes) {
    scene.traverse((node) => {
      const row = this.#rows.find(readExtras(node).object);
      if (row !== undefined) this.#rows.reach(row, collectBoxes(node));
    });
  }

  #mark(nodes, object) {
    this.#note(object);
    for (const node of nodes) node.setExtras(extrasFor(object));
  }

  #note({ key, ...rest }, parent) {
    return this.#rows.find(key) ?? this.#rows.add({ parent, key, ...rest });
  }

  /** A number that only indexes the features of one tile does not identify an object. */
  #row(properties, id, stem) {
    const tag = findTag(properties);
    const said = first(properties, furtherKeys) ?? toKey(properties);
    const key = said === undefined || said === id ? tag : said;
    const name = first(properties, nameKeys) ?? tag ?? key;
    return {
      key: String(key ?? `${stem}#${id}`).slice(0, 290),
      name: String(name ?? `${path.posix.basename(stem)} ${id + 1}`),
      tag: tag === undefined ? undefined : String(tag),
      properties: plain(properties),
    };
  }

  /** Divides meshes by their features: each becomes its own node. */
  #features(document, nodes, table, stem) {
    const shared = new Map();
    let found = false;
    const divide = (node) => {
      const mesh = node.getMesh();
      for (const child of node.listChildren()) divide(child);
      if (!mesh) return;
      const parts = shared.get(mesh) ?? divided(document, mesh, table);
      shared.set(mesh, parts);
      if (!parts) return;
      found = true;
      node.setMesh(null);
      for (const { mesh: own, id, properties } of parts) {
        const child = document.createNode().setMesh(own);
        if (id !== undefined) {
          const object = this.#row(properties, id, stem);
          this.#note(object);
          child.setExtras(extrasFor(object));
        }
        node.addChild(child);
      }
    };
    for (const node of nodes) divide(node);
    return found;
  }

  /** By nodes, if they have keys or tags, or if several have names. */
  #nodes(nodes, stem, alone) {
    const all = [];
    for (const node of nodes) node.traverse((each) => all.push(each));
    const said = new Map(all.map((node) => [node, { ...readExtras(node.getMesh()), ...readExtras(node) }]));
    const keyed = [...said.values()].some((extras) => toKey(extras) !== undefined || findTag(extras) !== undefined);
    if (!keyed && all.filter((node) => node.getMesh() && node.getName() !== '').length < 2) return false;
    const used = new Map();
    const visit = (node, above) => {
      const extras = said.get(node);
      const tag = findTag(extras);
      const own = toKey(extras) ?? tag;
      let row = above;
      if (own !== undefined || (!keyed && node.getMesh() && node.getName() !== '')) {
        // A refining tile may show the same objects under the same names; a sibling does not.
        const named = alone ? `${stem}/${node.getName()}` : node.getName();
        const count = used.get(named) ?? 0;
        if (own === undefined) used.set(named, count + 1);
        const key = String(own ?? (count === 0 ? named : `${named}#${count + 1}`)).slice(0, 290);
        const object = {
          key,
          name: String(first(extras, nameKeys) ?? (node.getName() || (tag ?? key))),
          tag: tag === undefined ? undefined : String(tag),
          properties: plain(extras),
        };
        row = this.#note(object, above);
        node.setExtras(extrasFor(object));
      } else node.setExtras({});
      for (const child of node.listChildren()) visit(child, row);
    };
    for (const node of nodes) visit(node, undefined);
    return true;
  }
}

const extrasFor = ({ key, tag }) => ({ object: key, ...(tag === undefined ? {} : { tag }) });

/** The mesh divided by its features; undefined without features. Triangles without a feature have no id. */
function divided(document, mesh, table) {
  const parts = new Map();
  let any = false;
  for (const primitive of mesh.listPrimitives()) {
    const features = readFeatures(document, primitive, table);
    if (!features) {
      put(undefined, primitive, {});
      continue;
    }
    any = true;
    for (const [id, indices] of trianglesBy(primitive, features.ids)) {
      const known = features.findRow(id);
      put(known ? id : undefined, piece(document, primitive, indices), known ?? {});
    }
  }
  return any ? [...parts.values()] : undefined;

  function put(id, primitive, properties) {
    const part = parts.get(id) ?? { mesh: document.createMesh(), id, properties };
    parts.set(id, part);
    part.mesh.addPrimitive(primitive);
  }
}

function readFeatures(document, primitive, table) {
  const batch = primitive.getAttribute('_BATCHID') ?? primitive.getAttribute('BATCHID');
  if (!isTriangles(primitive)) return undefined;
  if (batch && table)
    return { ids: batch, findRow: (id) => (id >= 0 && id < table.count ? table.findRow(id) : undefined) };
  const feature = primitive
    .getExtension('EXT_mesh_features')
    ?.listFeatureIDs()
    .find((each) => each.getAttribute() !== null);
  const ids = feature && primitive.getAttribute(`_FEATURE_ID_${feature.getAttribute()}`);
  if (!ids) return undefined;
  const own = feature.getPropertyTable();
  const findRow = own
    ? propertyTable(own, document.getRoot().getExtension('EXT_structural_metadata')?.getSchema())
    : () => ({});
  return { ids, findRow: (id) => (id === feature.getNullFeatureID() ? undefined : findRow(id)) };
}

/** Indices of triangles, grouped by the feature of their first corner. */
function trianglesBy(primitive, ids) {
  const indices = primitive.getIndices()?.getArray();
  const count = indices ? indices.length : primitive.getAttribute('POSITION').getCount();
  const found = new Map();
  for (let at = 0; at + 2 < count; at += 3) {
    const corners = [0, 1, 2].map((corner) => (indices ? indices[at + corner] : at + corner));
    const id = Math.round(ids.getScalar(corners[0]));
    const own = found.get(id) ?? [];
    found.set(id, own);
    own.push(...corners);
  }
  return found;
}

function piece(document, primitive, corners) {
  const places = new Map();
  const indices = Uint32Array.from(corners, (corner) => {
    const known = places.get(corner) ?? places.size;
    places.set(corner, known);
    return known;
  });
  const made = document
    .createPrimitive()
    .setMaterial(primitive.getMaterial())
    .setIndices(document.createAccessor().setType('SCALAR').setArray(indices));
  for (const semantic of primitive.listSemantics()) {
    if (semantic.startsWith('_')) continue;
    const from = primitive.getAttribute(semantic);
    const [array, size] = [from.getArray(), from.getElementSize()];
    const out = new array.constructor(places.size * size);
    for (const [corner, place] of places)
      for (let axis = 0; axis < size; axis++) out[place * size + axis] = array[corner * size + axis];
    made.setAttribute(
      semantic,
      document.createAccessor().setType(from.getType()).setNormalized(from.getNormalized()).setArray(out),
    );
  }
  return made;
}
