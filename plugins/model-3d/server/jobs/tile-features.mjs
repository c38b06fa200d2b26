// Identifies the objects of a tile. An object is a feature of a table, a node with a key or name, or the whole content.
import path from 'node:path';
import { flattenExtras } from './flatten-extras.mjs';
import { readExtras, isTriangles, findKey, expandInstances, findTag } from './model-io.mjs';
import { createPropertyReader } from './property-table.mjs';

const extraKeyNames = ['gml:id', 'gml_id', 'uuid', 'UUID', 'Guid', 'GUID', 'ElementId', 'elementId', 'ElementID'];
const nameKeys = ['name', 'Name', 'NAME'];
const findFirst = (properties, names) =>
  names
    .map((name) => properties[name])
    .find((value) => (typeof value === 'string' && value.trim() !== '') || typeof value === 'number');

export class ContentFeatures {
  #rows;

  constructor(rows) {
    this.#rows = rows;
  }

  /**
   * Writes the key of each object into the nodes' extras and records the object. Content without a key belongs to the
   * model itself. `TilesetReader.#writeContent` explains `isFinest` and `isOnlyTile`.
   */
  async assignObjects({ document, scenes }, { isFinest, isOnlyTile, properties }) {
    await expandInstances(document);
    for (const { nodes, name, table, instance, properties: sceneProperties } of scenes) {
      const stem = name.replace(/\.[^./]+$/, '');
      const contentProperties = flattenExtras({ ...properties, ...sceneProperties });
      if (instance) this.#assignObject(nodes, this.#toObject(instance.properties, instance.index, stem));
      else if (
        !this.#identifyByFeatures(document, nodes, table, stem) &&
        !this.#identifyByNodes(nodes, stem, isOnlyTile) &&
        isFinest &&
        isOnlyTile
      )
        this.#assignObject(nodes, { key: stem, name: path.posix.basename(stem), properties: contentProperties });
    }
  }

  /** Records the boxes of a document's objects. */
  addBoxes(scene, computeBox) {
    scene.traverse((node) => {
      const row = this.#rows.find(readExtras(node).object);
      if (row !== undefined) this.#rows.addBox(row, computeBox(node));
    });
  }

  #assignObject(nodes, object) {
    this.#recordObject(object);
    for (const node of nodes) node.setExtras(toExtras(object));
  }

  #recordObject({ key, ...objectFields }, parent) {
    return this.#rows.find(key) ?? this.#rows.add({ parent, key, ...objectFields });
  }

  /** Describes a feature. A number that only indexes the features of one tile is not used as the key. */
  #toObject(properties, id, stem) {
    const tag = findTag(properties);
    const declaredKey = findFirst(properties, extraKeyNames) ?? findKey(properties);
    const key = declaredKey === undefined || declaredKey === id ? tag : declaredKey;
    const name = findFirst(properties, nameKeys) ?? tag ?? key;
    return {
      key: String(key ?? `${stem}#${id}`).slice(0, 290),
      name: String(name ?? `${path.posix.basename(stem)} ${id + 1}`),
      tag: tag === undefined ? undefined : String(tag),
      properties: flattenExtras(properties),
    };
  }

  /** Splits meshes by feature and gives each feature its own node. Returns whether there are any features. */
  #identifyByFeatures(document, nodes, table, stem) {
    const partsByMesh = new Map();
    let hasFeatures = false;
    const divide = (node) => {
      const mesh = node.getMesh();
      for (const child of node.listChildren()) divide(child);
      if (!mesh) return;
      const parts = partsByMesh.get(mesh) ?? divideMesh(document, mesh, table);
      partsByMesh.set(mesh, parts);
      if (!parts) return;
      hasFeatures = true;
      node.setMesh(null);
      for (const { mesh: partMesh, id, properties } of parts) {
        const child = document.createNode().setMesh(partMesh);
        if (id !== undefined) {
          const object = this.#toObject(properties, id, stem);
          this.#recordObject(object);
          child.setExtras(toExtras(object));
        }
        node.addChild(child);
      }
    };
    for (const node of nodes) divide(node);
    return hasFeatures;
  }

  /** Makes objects of nodes if some have keys or tags, or if several have names. Returns whether it did. */
  #identifyByNodes(nodes, stem, isOnlyTile) {
    const allNodes = [];
    for (const node of nodes) node.traverse((descendant) => allNodes.push(descendant));
    const extrasByNode = new Map(
      allNodes.map((node) => [node, { ...readExtras(node.getMesh()), ...readExtras(node) }]),
    );
    const hasKeys = [...extrasByNode.values()].some(
      (extras) => findKey(extras) !== undefined || findTag(extras) !== undefined,
    );
    if (!hasKeys && allNodes.filter((node) => node.getMesh() && node.getName() !== '').length < 2) return false;
    const countByName = new Map();
    const visit = (node, parentRow) => {
      const extras = extrasByNode.get(node);
      const tag = findTag(extras);
      const ownKey = findKey(extras) ?? tag;
      let row = parentRow;
      if (ownKey !== undefined || (!hasKeys && node.getMesh() && node.getName() !== '')) {
        // A finer tile may show the same objects under the same names, but a sibling tile shows other objects.
        const fullName = isOnlyTile ? `${stem}/${node.getName()}` : node.getName();
        const count = countByName.get(fullName) ?? 0;
        if (ownKey === undefined) countByName.set(fullName, count + 1);
        const key = String(ownKey ?? (count === 0 ? fullName : `${fullName}#${count + 1}`)).slice(0, 290);
        const object = {
          key,
          name: String(findFirst(extras, nameKeys) ?? (node.getName() || (tag ?? key))),
          tag: tag === undefined ? undefined : String(tag),
          properties: flattenExtras(extras),
        };
        row = this.#recordObject(object, parentRow);
        node.setExtras(toExtras(object));
      } else node.setExtras({});
      for (const child of node.listChildren()) visit(child, row);
    };
    for (const node of nodes) visit(node, undefined);
    return true;
  }
}

const toExtras = ({ key, tag }) => ({ object: key, ...(tag === undefined ? {} : { tag }) });

/** Divides a mesh by its features, if it has any. The part of triangles without a feature has no id. */
function divideMesh(document, mesh, table) {
  const parts = new Map();
  let hasFeatures = false;
  for (const primitive of mesh.listPrimitives()) {
    const features = readFeatures(document, primitive, table);
    if (!features) {
      addToPart(undefined, primitive, {});
      continue;
    }
    hasFeatures = true;
    for (const [id, indices] of groupTrianglesByFeature(primitive, features.ids)) {
      const row = features.findRow(id);
      addToPart(row ? id : undefined, createPrimitive(document, primitive, indices), row ?? {});
    }
  }
  return hasFeatures ? [...parts.values()] : undefined;

  function addToPart(id, primitive, properties) {
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
    .find((featureId) => featureId.getAttribute() !== null);
  const ids = feature && primitive.getAttribute(`_FEATURE_ID_${feature.getAttribute()}`);
  if (!ids) return undefined;
  const propertyTable = feature.getPropertyTable();
  const findRow = propertyTable
    ? createPropertyReader(propertyTable, document.getRoot().getExtension('EXT_structural_metadata')?.getSchema())
    : () => ({});
  return { ids, findRow: (id) => (id === feature.getNullFeatureID() ? undefined : findRow(id)) };
}

/** Groups triangles by the feature of their first corner. Returns the indices of each group. */
function groupTrianglesByFeature(primitive, ids) {
  const indices = primitive.getIndices()?.getArray();
  const count = indices ? indices.length : primitive.getAttribute('POSITION').getCount();
  const groups = new Map();
  for (let start = 0; start + 2 < count; start += 3) {
    const corners = [0, 1, 2].map((corner) => (indices ? indices[start + corner] : start + corner));
    const id = Math.round(ids.getScalar(corners[0]));
    const group = groups.get(id) ?? [];
    groups.set(id, group);
    group.push(...corners);
  }
  return groups;
}

/** Copies some corners of a primitive without its feature attributes. */
function createPrimitive(document, primitive, corners) {
  const newIndices = new Map();
  const indices = Uint32Array.from(corners, (corner) => {
    const index = newIndices.get(corner) ?? newIndices.size;
    newIndices.set(corner, index);
    return index;
  });
  const copy = document
    .createPrimitive()
    .setMaterial(primitive.getMaterial())
    .setIndices(document.createAccessor().setType('SCALAR').setArray(indices));
  for (const semantic of primitive.listSemantics()) {
    if (semantic.startsWith('_')) continue;
    const source = primitive.getAttribute(semantic);
    const [array, size] = [source.getArray(), source.getElementSize()];
    const values = new array.constructor(newIndices.size * size);
    for (const [corner, index] of newIndices)
      for (let axis = 0; axis < size; axis++) values[index * size + axis] = array[corner * size + axis];
    copy.setAttribute(
      semantic,
      document.createAccessor().setType(source.getType()).setNormalized(source.getNormalized()).setArray(values),
    );
  }
  return copy;
}
