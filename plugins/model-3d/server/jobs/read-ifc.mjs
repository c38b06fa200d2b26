// Converts an IFC file (IFC2X3, IFC4) to a glTF document in metres, y up. Each element with a shape becomes a node
// below its storey, with GlobalId, name, tag and property sets. The unit of length is that of the file, unless a person
// chose another one.
import { Document } from '@gltf-transform/core';
import { IfcAPI, IFCOPENINGELEMENT, IFCOPENINGSTANDARDCASE, IFCSPACE, LogLevel } from 'web-ifc';
import { readIfcProperties } from './ifc-properties.mjs';
import { readIfcSystem } from './ifc-system.mjs';
import { ValidationError } from './model-io.mjs';
import { inspectStep } from './step-file.mjs';

const unwrapValue = (field) =>
  field && typeof field === 'object' && 'value' in field && field.value !== null ? field.value : undefined;
const transparentBelow = 0.99;

/** Openings and spaces (rooms) are not shown. */
const hiddenTypes = new Set([IFCOPENINGELEMENT, IFCOPENINGSTANDARDCASE, IFCSPACE]);
/** Identifiers of representations without a surface. */
const surfacelessTypes = new Set([
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
 * Reads an IFC file. `metres` is the length of the unit, if a person chose one. Returns the document, the file's unit
 * and georeference, the numbers of declared and read elements with a surface, and the number of missing entries.
 */
export async function readIfc(bytes, maxVertices, metres) {
  const { complete, entries, missing } = inspectStep(bytes);
  if (!complete) throw new ValidationError('model-3d.refused.ifcCutShort', { entries, missing });
  const api = new IfcAPI();
  await api.Init();
  api.SetLogLevel(LogLevel.LOG_LEVEL_OFF);
  const model = api.OpenModel(bytes, { COORDINATE_TO_ORIGIN: false });
  if (model < 0) throw new ValidationError('model-3d.refused.ifcUnreadable');
  try {
    const system = readIfcSystem(api, model);
    const declaredElements = listDeclaredElements(api, model);
    const { document, readElements } = await createDocument(api, model, maxVertices, metres ?? system.metres ?? 1);
    return {
      document,
      system,
      missing,
      elements: {
        declared: declaredElements.length,
        read: declaredElements.filter((id) => readElements.has(id)).length,
      },
    };
  } finally {
    api.CloseModel(model);
  }
}

const toReferences = (field) => (Array.isArray(field) ? field : []).map(unwrapValue).filter(Number.isInteger);

/** Lists the elements with a representation that has a surface. */
function listDeclaredElements(api, model) {
  const hasSurface = (shape) =>
    toReferences(api.GetLine(model, shape)?.Representations).some(
      (id) =>
        !surfacelessTypes.has(
          String(unwrapValue(api.GetLine(model, id)?.RepresentationIdentifier) ?? '').replace(/2D$/, ''),
        ),
    );
  const elements = [];
  for (const { typeID } of api.GetAllTypesOfModel(model)) {
    if (!api.IsIfcElement(typeID) || hiddenTypes.has(typeID)) continue;
    const ids = api.GetLineIDsWithType(model, typeID);
    for (let index = 0; index < ids.size(); index += 1) {
      const shape = unwrapValue(api.GetLine(model, ids.get(index))?.Representation);
      if (Number.isInteger(shape) && hasSurface(shape)) elements.push(ids.get(index));
    }
  }
  return elements;
}

/** Converts the translation of a column-major matrix to metres. */
const scaleToMetres = (matrix, metres) => matrix.map((value, index) => (index % 4 === 3 ? value : value * metres));

async function createDocument(api, model, maxVertices, metres) {
  const document = new Document();
  const buffer = document.createBuffer();
  const scene = document.createScene('IFC');
  const materials = new Map();
  const meshByShape = new Map();
  let vertexCount = 0;

  const getMaterial = ({ x, y, z, w }) => {
    const key = [x, y, z, w].map((part) => part.toFixed(3)).join(' ');
    const cached =
      materials.get(key) ??
      document
        .createMaterial()
        .setBaseColorFactor([x, y, z, w])
        .setAlphaMode(w < transparentBelow ? 'BLEND' : 'OPAQUE')
        .setRoughnessFactor(0.8)
        .setMetallicFactor(0)
        .setDoubleSided(true);
    materials.set(key, cached);
    return cached;
  };
  const getMesh = ({ geometryExpressID, color }) => {
    const key = `${geometryExpressID} ${Object.values(color).join(' ')}`;
    if (meshByShape.has(key)) return meshByShape.get(key);
    const geometry = api.GetGeometry(model, geometryExpressID);
    const points = api.GetVertexArray(geometry.GetVertexData(), geometry.GetVertexDataSize());
    const indices = api.GetIndexArray(geometry.GetIndexData(), geometry.GetIndexDataSize());
    geometry.delete?.();
    const pointCount = points.length / 6;
    vertexCount += pointCount;
    if (vertexCount > maxVertices) throw new ValidationError('model-3d.refused.ifcTooLarge', { most: maxVertices });
    const mesh =
      pointCount === 0 || indices.length === 0
        ? undefined
        : document.createMesh().addPrimitive(createPrimitive(document, buffer, points, indices, getMaterial(color)));
    meshByShape.set(key, mesh);
    return mesh;
  };

  const properties = readIfcProperties(api, model);
  const nodes = new Map();
  const getNode = (id) => {
    const cached = nodes.get(id);
    if (cached) return cached;
    const line = api.GetLine(model, id);
    const tag = unwrapValue(line.Tag);
    const guid = unwrapValue(line.GlobalId);
    const node = document.createNode(String(unwrapValue(line.Name) ?? '')).setExtras({
      ...(guid === undefined ? {} : { GlobalId: String(guid) }),
      ...(tag === undefined || String(tag).trim() === '' ? {} : { tag: String(tag) }),
      type: api.GetNameFromTypeCode(line.type),
      ...(unwrapValue(line.Description) === undefined ? {} : { description: String(unwrapValue(line.Description)) }),
      ...(properties.has(id) ? { properties: properties.get(id) } : {}),
    });
    nodes.set(id, node);
    return node;
  };

  const readElements = new Set();
  // Scales by `metres`, because the library treats an unknown unit as a metre.
  const addElement = (element) => {
    const node = getNode(element.expressID);
    for (let geometryIndex = 0; geometryIndex < element.geometries.size(); geometryIndex += 1) {
      const placedGeometry = element.geometries.get(geometryIndex);
      const mesh = getMesh(placedGeometry);
      if (!mesh) continue;
      readElements.add(element.expressID);
      node.addChild(
        document.createNode().setMesh(mesh).setMatrix(scaleToMetres(placedGeometry.flatTransformation, metres)),
      );
    }
  };
  api.StreamAllMeshes(model, addElement, false);
  const structure = await api.properties.getSpatialStructure(model);
  addSpatialNode(structure, scene);
  // Elements without a storey keep their world placement.
  for (const node of nodes.values())
    if (!node.getParentNode() && !scene.listChildren().includes(node)) scene.addChild(node);
  return { document, readElements };

  function addSpatialNode(spatial, parent) {
    const node = getNode(spatial.expressID);
    parent.addChild(node);
    for (const child of spatial.children) addSpatialNode(child, node);
  }
}

function createPrimitive(document, buffer, points, indices, material) {
  const positions = new Float32Array(points.length / 2);
  const normals = new Float32Array(points.length / 2);
  for (let from = 0, to = 0; from < points.length; from += 6, to += 3) {
    positions.set(points.subarray(from, from + 3), to);
    normals.set(points.subarray(from + 3, from + 6), to);
  }
  const createAccessor = (type, array) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  return document
    .createPrimitive()
    .setAttribute('POSITION', createAccessor('VEC3', positions))
    .setAttribute('NORMAL', createAccessor('VEC3', normals))
    .setIndices(createAccessor('SCALAR', Uint32Array.from(indices)))
    .setMaterial(material);
}
