// Converts an IFC file (IFC2X3, IFC4) to a glTF document: one node for each element with a shape, below its storey,
// with GlobalId, name and tag; metres, y up. The unit of length is that of the file, or the one that a person chose.
import { Document } from '@gltf-transform/core';
import { IfcAPI, IFCOPENINGELEMENT, IFCOPENINGSTANDARDCASE, IFCSPACE, LogLevel } from 'web-ifc';
import { readIfcSystem } from './ifc-system.mjs';
import { ValidationError } from './model-io.mjs';
import { surveyStep } from './step-file.mjs';

const unwrapValue = (field) =>
  field && typeof field === 'object' && 'value' in field && field.value !== null ? field.value : undefined;
const transparentBelow = 0.99;

/** Not drawn: openings in walls, and spaces. */
const hiddenTypes = new Set([IFCOPENINGELEMENT, IFCOPENINGSTANDARDCASE, IFCSPACE]);
/** Identifiers of representations without a surface. */
const flat = new Set([
  'Axis',
  'FootPrint',
  'Annotation',
  'Box',
  'Plan',
  'Survey',
  'Clearance',
  'Lighting',
  'Profile',
  'Reference',
  'CoG',
]);

/**
 * Reads an IFC file. `metres` per unit, if a person chose it. `elements`: number of elements with a surface that the
 * file declares, and number read. `missing`: entries that are referenced but not defined.
 */
export async function readIfc(bytes, maxVertices, metres) {
  const { complete, entries, missing } = surveyStep(bytes);
  if (!complete) throw new ValidationError('model-3d.refused.ifcCutShort', { entries, missing });
  const api = new IfcAPI();
  await api.Init();
  api.SetLogLevel(LogLevel.LOG_LEVEL_OFF);
  const model = api.OpenModel(bytes, { COORDINATE_TO_ORIGIN: false });
  if (model < 0) throw new ValidationError('model-3d.refused.ifcUnreadable');
  try {
    const system = readIfcSystem(api, model);
    const declared = declaredElements(api, model);
    const { document, read } = await createDocument(api, model, maxVertices, metres ?? system.metres ?? 1);
    return {
      document,
      system,
      missing,
      elements: { declared: declared.length, read: declared.filter((id) => read.has(id)).length },
    };
  } finally {
    api.CloseModel(model);
  }
}

const toReferences = (field) => (Array.isArray(field) ? field : []).map(unwrapValue).filter(Number.isInteger);

/** Elements with a representation that has a surface. */
function declaredElements(api, model) {
  const hasSurface = (shape) =>
    toReferences(api.GetLine(model, shape)?.Representations).some(
      (id) => !flat.has(String(unwrapValue(api.GetLine(model, id)?.RepresentationIdentifier) ?? '').replace(/2D$/, '')),
    );
  const elements = [];
  for (const { typeID } of api.GetAllTypesOfModel(model)) {
    if (!api.IsIfcElement(typeID) || hiddenTypes.has(typeID)) continue;
    const ids = api.GetLineIDsWithType(model, typeID);
    for (let at = 0; at < ids.size(); at += 1) {
      const shape = unwrapValue(api.GetLine(model, ids.get(at))?.Representation);
      if (Number.isInteger(shape) && hasSurface(shape)) elements.push(ids.get(at));
    }
  }
  return elements;
}

/** Converts the translation of a column-major matrix to metres. */
const inMetres = (matrix, metres) => matrix.map((value, at) => (at % 4 === 3 ? value : value * metres));

async function createDocument(api, model, maxVertices, metres) {
  const document = new Document();
  const buffer = document.createBuffer();
  const scene = document.createScene('IFC');
  const materials = new Map();
  const shapes = new Map();
  let vertices = 0;

  const material = ({ x, y, z, w }) => {
    const key = [x, y, z, w].map((part) => part.toFixed(3)).join(' ');
    const known =
      materials.get(key) ??
      document
        .createMaterial()
        .setBaseColorFactor([x, y, z, w])
        .setAlphaMode(w < transparentBelow ? 'BLEND' : 'OPAQUE')
        .setRoughnessFactor(0.8)
        .setMetallicFactor(0)
        .setDoubleSided(true);
    materials.set(key, known);
    return known;
  };
  const shape = ({ geometryExpressID, color }) => {
    const key = `${geometryExpressID} ${Object.values(color).join(' ')}`;
    if (shapes.has(key)) return shapes.get(key);
    const geometry = api.GetGeometry(model, geometryExpressID);
    const points = api.GetVertexArray(geometry.GetVertexData(), geometry.GetVertexDataSize());
    const indices = api.GetIndexArray(geometry.GetIndexData(), geometry.GetIndexDataSize());
    geometry.delete?.();
    const count = points.length / 6;
    vertices += count;
    if (vertices > maxVertices) throw new ValidationError('model-3d.refused.ifcTooLarge', { most: maxVertices });
    const made =
      count === 0 || indices.length === 0
        ? undefined
        : document.createMesh().addPrimitive(createPrimitive(document, buffer, points, indices, material(color)));
    shapes.set(key, made);
    return made;
  };

  const nodes = new Map();
  const getNode = (id) => {
    const known = nodes.get(id);
    if (known) return known;
    const line = api.GetLine(model, id);
    const tag = unwrapValue(line.Tag);
    const guid = unwrapValue(line.GlobalId);
    const node = document.createNode(String(unwrapValue(line.Name) ?? '')).setExtras({
      ...(guid === undefined ? {} : { GlobalId: String(guid) }),
      ...(tag === undefined || String(tag).trim() === '' ? {} : { tag: String(tag) }),
      type: api.GetNameFromTypeCode(line.type),
      ...(unwrapValue(line.Description) === undefined ? {} : { description: String(unwrapValue(line.Description)) }),
    });
    nodes.set(id, node);
    return node;
  };

  const read = new Set();
  // Does not use the library's factor, which treats an unknown unit as a metre.
  const place = (placed) => {
    const node = getNode(placed.expressID);
    for (let part = 0; part < placed.geometries.size(); part += 1) {
      const piece = placed.geometries.get(part);
      const mesh = shape(piece);
      if (!mesh) continue;
      read.add(placed.expressID);
      node.addChild(document.createNode().setMesh(mesh).setMatrix(inMetres(piece.flatTransformation, metres)));
    }
  };
  api.StreamAllMeshes(model, place, false);
  const structure = await api.properties.getSpatialStructure(model);
  hang(structure, scene);
  // Elements without a storey keep their world placement.
  for (const node of nodes.values())
    if (!node.getParentNode() && !scene.listChildren().includes(node)) scene.addChild(node);
  return { document, read };

  function hang(step, parent) {
    const node = getNode(step.expressID);
    parent.addChild(node);
    for (const child of step.children) hang(child, node);
  }
}

function createPrimitive(document, buffer, points, indices, material) {
  const positions = new Float32Array(points.length / 2);
  const normals = new Float32Array(points.length / 2);
  for (let from = 0, to = 0; from < points.length; from += 6, to += 3) {
    positions.set(points.subarray(from, from + 3), to);
    normals.set(points.subarray(from + 3, from + 6), to);
  }
  const accessor = (type, array) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  return document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', positions))
    .setAttribute('NORMAL', accessor('VEC3', normals))
    .setIndices(accessor('SCALAR', Uint32Array.from(indices)))
    .setMaterial(material);
}
