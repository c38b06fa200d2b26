import { BufferAttribute, BufferGeometry, Matrix4, MeshStandardMaterial, Quaternion, Raycaster, Vector3 } from 'three';
import { type Point3 } from '#core';
import { nominalPipes } from '#core/piping';
import type { SurfaceMesh } from '#plugins/tour';
import { createRandom } from '../../cli/demo/plant/vector.ts';
import { measureDiameter, type DiameterResult } from '../../plugins/annotate/common/geometry/diameter.ts';
import { Batches } from '../../plugins/model-3d/web/viewer/batches.ts';
import { extractSurfaceMesh } from '../../plugins/model-3d/web/viewer/surface-mesh.ts';
import { sampleSurfacePatch } from '../../plugins/model-3d/web/viewer/surface-patch.ts';
import {
  buildTessellatedShape,
  type CornerPlace,
  type TessellatedForm,
  type TessellatedOptions,
  type TessellatedShape,
} from './tessellated-shapes.ts';

export interface TessellatedTrial extends TessellatedOptions {
  readonly result: DiameterResult;
}

/** Standard deviation of a pick in a model in metres, as in `ModelPiece`. */
const modelSigma = 0.001;
/** Precision in metres of the vertices of a plant in one mesh after import. */
const roundingMetres = 0.0005;

export const tessellatedSides = [8, 12, 16, 24, 36] as const;
const cornerPlaces: readonly CornerPlace[] = ['ON', 'BETWEEN', 'OUTSIDE'];
const forms: readonly TessellatedForm[] = ['PIPE', 'ELBOW', 'REDUCER', 'SHELL'];

/**
 * Lists pipes of standard sizes, vessels and insulated pipes of any size, `repeat` times for each number of sides,
 * corner position and shape. Uneven and decimated shapes have their corners on the circle.
 */
export function listTessellatedPipes(repeat: number, seed = 1): readonly TessellatedOptions[] {
  const random = createRandom(seed);
  const chooseDiameter = (nominal: boolean): number =>
    nominal
      ? (nominalPipes[Math.floor(random() * 20)]?.outsideDiameter ?? 0)
      : Math.round((0.05 + 2.5 * random() ** 2) * 1e4) / 1e4;
  const pipes: TessellatedOptions[] = [];
  const addPipe = (form: TessellatedForm, sides: number, corners: CornerPlace): void =>
    void pipes.push({
      form,
      sides,
      corners,
      diameter: chooseDiameter(pipes.length % 3 > 0),
      shared: random() < 0.5,
      seed: Math.floor(random() * 1e9),
    });
  for (let k = 0; k < repeat; k += 1)
    for (const sides of tessellatedSides) {
      for (const form of forms) for (const corners of cornerPlaces) addPipe(form, sides, corners);
      for (const form of ['UNEVEN', 'DECIMATED'] as const) addPipe(form, sides, 'ON');
    }
  return pipes;
}

/** Measures each pipe with one click, using the code of the model viewer and of the measuring tool. */
export async function measureTessellated(pipes: readonly TessellatedOptions[]): Promise<readonly TessellatedTrial[]> {
  const trials: TessellatedTrial[] = [];
  for (const pipe of pipes) {
    const random = createRandom(pipe.seed + 1);
    const shape = await buildTessellatedShape(pipe);
    const pose = createRandomPose(random);
    const surface = placeInModel(shape, pose, random() < 0.5 ? roundingMetres : 0);
    const { point, eye: localEye } = chooseClick(shape, pipe.diameter, random);
    const target = new Vector3(...point).applyMatrix4(pose);
    const eye = new Vector3(...localEye).applyMatrix4(pose);
    trials.push({ ...pipe, result: await surface.measure(eye, target) });
  }
  return trials;
}

export function createRandomPose(random: () => number): Matrix4 {
  const axis = new Vector3(random() - 0.5, random() - 0.5, random() - 0.5).normalize();
  return new Matrix4().compose(
    new Vector3(random() * 30 - 15, random() * 30 - 15, random() * 20 - 10),
    new Quaternion().setFromAxisAngle(axis, random() * 6),
    new Vector3(1, 1, 1),
  );
}

/** Chooses a point on the straight pipe and an eye position in front of it. */
export function chooseClick(
  { length, arc: [from, to] }: TessellatedShape,
  diameter: number,
  random: () => number,
): { readonly point: Point3; readonly eye: Point3 } {
  const angle = from + (0.3 + 0.4 * random()) * (to - from);
  const z = (0.25 + 0.5 * random()) * length;
  const toPoint = (r: number): Point3 => [r * Math.cos(angle), r * Math.sin(angle), z];
  return { point: toPoint(diameter / 2), eye: toPoint(diameter * 2 + 1) };
}

function placeInModel({ positions, indices }: TessellatedShape, pose: Matrix4, roundingStep: number) {
  const corners = new Float32Array(positions.length);
  const corner = new Vector3();
  for (let k = 0; k < positions.length; k += 3) {
    corner.fromArray(positions, k).applyMatrix4(pose);
    if (roundingStep > 0) corner.divideScalar(roundingStep).round().multiplyScalar(roundingStep);
    corner.toArray(corners, k);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(corners, 3));
  geometry.setIndex([...indices]);
  const part = { object: 0, geometry, material: new MeshStandardMaterial(), matrix: new Matrix4() };
  const batches = new Batches({ parts: [part] }, [0, 0, 0]);
  return {
    async measure(eye: Vector3, target: Vector3): Promise<DiameterResult> {
      const hit = batches
        .raycast(new Raycaster(eye, target.clone().sub(eye).normalize()))
        .toSorted((a, b) => a.distance - b.distance)[0];
      const batch = batches.meshes[0];
      const { batchId, faceIndex } = hit ?? {};
      if (!hit || !batch || batchId === undefined || typeof faceIndex !== 'number')
        throw new Error('The click misses the pipe.');
      const mesh = (radius: number): Promise<SurfaceMesh | undefined> =>
        Promise.resolve(extractSurfaceMesh(batch, batchId, faceIndex, hit.point, radius));
      const findSurfacePoints = (radius: number): Promise<Float64Array> =>
        Promise.resolve(
          Float64Array.from(
            sampleSurfacePatch(batch, batchId, faceIndex, hit.point, radius).flatMap((point) => point.toArray()),
          ),
        );
      return measureDiameter(hit.point.toArray(), findSurfacePoints, { sigma: modelSigma, findMesh: mesh });
    },
  };
}
