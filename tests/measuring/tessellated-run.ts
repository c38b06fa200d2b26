import { Document, Logger, NodeIO } from '@gltf-transform/core';
import { EXTMeshoptCompression, KHRMeshQuantization } from '@gltf-transform/extensions';
import { meshopt } from '@gltf-transform/functions';
import { MeshoptEncoder } from 'meshoptimizer';
import { Vector3, type Matrix4 } from 'three';
import { nominalPipes } from '#core/piping';
import { computeBearing, createRandom } from '../../cli/demo/plant/vector.ts';
import type { Point } from '../../cli/demo/plant/types.ts';
import { withMeasuringPages, type AccuracyOptions } from './accuracy-run.ts';
import { CameraView, type Pixel } from './camera-view.ts';
import type { Outcome } from './outcome.ts';
import type { Target } from './plant-targets.ts';
import { chooseClick, createRandomPose } from './tessellated-trials.ts';
import { buildTessellatedShape, type TessellatedOptions, type TessellatedShape } from './tessellated-shapes.ts';

/** Metres between pipes, so that none occludes another. */
const pipeSpacingMetres = 15;
/** Maximum distance between click and target, in pixels. */
const maxMissPx = 3;
const repetitions = 3;
/** Maximum tilt in degrees, since pan is undefined straight up and down. */
const maxTiltDegrees = 80;

/**
 * Measures pipes in one GLB in the product's viewer in a browser, tessellated as by exporters and rounded as by the
 * importer. Returns one outcome per pipe, in their order.
 */
export async function measureTessellatedModel(
  pipes: readonly TessellatedOptions[],
  { size, browser }: Pick<AccuracyOptions, 'size' | 'browser'>,
): Promise<readonly Outcome[]> {
  const document = new Document().setLogger(new Logger(Logger.Verbosity.SILENT));
  document.createBuffer();
  const scene = document.createScene('Pipes');
  const targets: Target[] = [];
  for (const [index, pipe] of pipes.entries()) {
    const random = createRandom(pipe.seed + 1);
    const shape = await buildTessellatedShape(pipe);
    const pose = createRandomPose(random).setPosition(
      (index % 8) * pipeSpacingMetres,
      Math.floor(index / 8) * pipeSpacingMetres,
      0,
    );
    scene.addChild(document.createNode(`Pipe ${index}`).setMesh(createMesh(document, shape, pose, pipe.shared)));
    targets.push(createTarget(pipe, shape, pose, size, random));
  }
  await MeshoptEncoder.ready;
  // Same precision as the importer's `model-io.mjs`.
  await document.transform(
    meshopt({ encoder: MeshoptEncoder, level: 'medium', quantizePosition: 16, quantizeNormal: 10 }),
  );
  const io = new NodeIO()
    .registerExtensions([EXTMeshoptCompression, KHRMeshQuantization])
    .registerDependencies({ 'meshopt.encoder': MeshoptEncoder });
  const bytes = await io.writeBinary(document);
  return withMeasuringPages({ size, browser }, async (measure, server) => {
    server.files.set('pipes.glb', Buffer.from(bytes));
    await measure('the tessellated pipes', targets, (page) =>
      page.evaluate(() => window.measuringPage.openModel('/pipes.glb')),
    );
  });
}

/** Metres, y up as in glTF. Sides with separate vertices are shaded flat. */
function createMesh(document: Document, { positions, indices }: TessellatedShape, pose: Matrix4, shared: boolean) {
  const corners = Float32Array.from(positions);
  const corner = new Vector3();
  for (let k = 0; k < corners.length; k += 3) {
    corner.fromArray(corners, k).applyMatrix4(pose);
    corners.set([corner.x, corner.z, -corner.y], k);
  }
  const buffer = document.getRoot().listBuffers()[0] ?? document.createBuffer();
  const createAccessor = (type: 'VEC3' | 'SCALAR', array: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', createAccessor('VEC3', corners))
    .setIndices(createAccessor('SCALAR', Uint32Array.from(indices)))
    .setMaterial(document.createMaterial());
  if (!shared) primitive.setAttribute('NORMAL', createAccessor('VEC3', computeFlatNormals(corners)));
  return document.createMesh().addPrimitive(primitive);
}

function computeFlatNormals(corners: Float32Array): Float32Array<ArrayBuffer> {
  const normals = new Float32Array(corners.length);
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  for (let k = 0; k < corners.length; k += 9) {
    a.fromArray(corners, k);
    b.fromArray(corners, k + 3).sub(a);
    c.fromArray(corners, k + 6).sub(a);
    const normal = b.cross(c).normalize().toArray();
    normals.set([...normal, ...normal, ...normal], k);
  }
  return normals;
}

function createTarget(
  pipe: TessellatedOptions,
  shape: TessellatedShape,
  pose: Matrix4,
  size: AccuracyOptions['size'],
  random: () => number,
): Target {
  const toSite = (place: readonly [number, number, number]): Point =>
    new Vector3(...place).applyMatrix4(pose).toArray();
  let [point, eye]: readonly [Point, Point] = [
    [0, 0, 0],
    [0, 0, 1],
  ];
  do {
    const click = chooseClick(shape, pipe.diameter, random);
    [point, eye] = [toSite(click.point), toSite(click.eye)];
  } while (Math.abs(computeBearing(eye, point).tilt) > maxTiltDegrees);
  const look = { eye, ...computeBearing(eye, point), fov: 40 };
  const middle = new CameraView(look, size).toPixel(point);
  const chooseOffset = (): number => Math.round((random() * 2 - 1) * maxMissPx * Math.SQRT1_2);
  const clicks = Array.from({ length: repetitions }, (): Pixel => ({
    x: Math.round(middle.x) + chooseOffset(),
    y: Math.round(middle.y) + chooseOffset(),
  }));
  return {
    surface: 'model',
    kind: 'DIAMETER',
    node: `${pipe.form.toLowerCase()} of ${pipe.sides} sides`,
    points: [{ point, place: 'pipe', look, clicks }],
    truth: pipe.diameter,
    nps: nominalPipes.find(({ outsideDiameter }) => outsideDiameter === pipe.diameter)?.nps,
    line: `corners ${pipe.corners.toLowerCase()}`,
  };
}
