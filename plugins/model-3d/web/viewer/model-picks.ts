import { Raycaster, Vector2, Vector3, type BatchedMesh, type Intersection } from 'three';
import { perpendicularAxes, plus, times, unitVector, type Point3 } from '#core';
import type { SightRay, SurfaceMesh, SurfacePick } from '#plugins/tour';
import { computeNormal } from './batches.ts';
import type { ModelHit } from './engine-types.ts';
import { nearMetres, type ModelSceneController } from './model-scene-controller.ts';
import type { LoadedModel } from './loaded-model.ts';
import { extractSurfaceMesh } from './surface-mesh.ts';
import { sampleSurfacePatch } from './surface-patch.ts';

/** Distance in pixels at which the surface around a pick is sampled. */
const edgeReachPx = 2;
/** A pick is at an edge if another object near it is farther or nearer by this fraction of the distance. */
const minEdgeFraction = 0.04;
/** Tolerance of the visibility test, which is the sum of a length and a fraction of the distance. */
const visibilityTolerance = { metres: 0.03, fraction: 0.003 } as const;

/**
 * Casts rays into the visible part of a model, without hidden and cut objects. The camera of the scene controller must
 * be up to date.
 */
export class ModelPicks {
  readonly #sceneController: ModelSceneController;
  readonly #raycaster = new Raycaster();
  readonly #hits = new WeakMap<SurfacePick, Intersection>();

  constructor(sceneController: ModelSceneController) {
    this.#sceneController = sceneController;
  }

  pick(model: LoadedModel, x: number, y: number): ModelHit | undefined {
    return this.#pick(model, this.#sceneController.camera.position, (offsetX, offsetY) =>
      this.#castAt(model, x + offsetX, y + offsetY),
    );
  }

  /** Picks on a ray that need not start at the camera. The ray also hits hidden and cut objects. */
  pickAlong(model: LoadedModel, { origin, direction, pixelRadians }: SightRay): ModelHit | undefined {
    const eye = this.#sceneController.toScene(origin);
    const [right, up] = perpendicularAxes(direction);
    return model.withEverythingVisible(() =>
      this.#pick(model, eye, (offsetX, offsetY) => {
        const offset = plus(times(right, offsetX * pixelRadians), times(up, offsetY * pixelRadians));
        this.#raycaster.set(eye, new Vector3(...unitVector(plus(direction, offset))));
        return this.#findFirstHit(model);
      }),
    );
  }

  /** @param cast casts a ray through a pixel, given by its offset from the pick. */
  #pick(
    model: LoadedModel,
    eye: Vector3,
    cast: (offsetX: number, offsetY: number) => Intersection | undefined,
  ): ModelHit | undefined {
    const hit = cast(0, 0);
    const object = hit && model.findObject(hit);
    const sigma = hit && model.findPiece(hit)?.sigma;
    if (!hit || object === undefined || sigma === undefined) return undefined;
    const normal = computeNormal(hit, eye);
    const pick: ModelHit = {
      point: this.#sceneController.toSite(hit.point),
      normal: normal && [normal.x, normal.y, normal.z],
      source: 'MODEL',
      sigma,
      edge: [
        [edgeReachPx, 0],
        [-edgeReachPx, 0],
        [0, edgeReachPx],
        [0, -edgeReachPx],
      ].some(([offsetX = 0, offsetY = 0]) => {
        const neighbour = cast(offsetX, offsetY);
        return (
          !neighbour ||
          (Math.abs(neighbour.distance - hit.distance) > hit.distance * minEdgeFraction &&
            model.findObject(neighbour) !== object)
        );
      }),
      object,
    };
    this.#hits.set(pick, hit);
    return pick;
  }

  /** Finds the object under a pixel, and the point that the ray hit. */
  findObject(
    model: LoadedModel,
    x: number,
    y: number,
  ): { readonly object: number | undefined; readonly point: Point3 } | undefined {
    const hit = this.#castAt(model, x, y);
    return hit && { object: model.findObject(hit), point: this.#sceneController.toSite(hit.point) };
  }

  findSurfacePoints(model: LoadedModel, pick: SurfacePick, radius: number): Float64Array {
    const scenePoint = this.#sceneController.toScene(pick.point);
    const face = this.#findFace(model, pick, scenePoint);
    if (!face) return new Float64Array();
    const points = sampleSurfacePatch(face.batch, face.instance, face.face, scenePoint, radius);
    return Float64Array.from(points.flatMap((point) => this.#sceneController.toSite(point)));
  }

  mesh(model: LoadedModel, pick: SurfacePick, radius: number): SurfaceMesh | undefined {
    const scenePoint = this.#sceneController.toScene(pick.point);
    const face = this.#findFace(model, pick, scenePoint);
    const mesh = face && extractSurfaceMesh(face.batch, face.instance, face.face, scenePoint, radius);
    if (!mesh) return undefined;
    const { corners, hit } = mesh;
    const corner = new Vector3();
    for (let offset = 0; offset < corners.length; offset += 3)
      corners.set(this.#sceneController.toSite(corner.fromArray(corners, offset)), offset);
    return { corners, hit };
  }

  sees(model: LoadedModel, point: Point3): boolean {
    const scenePoint = this.#sceneController.toScene(point);
    const pointDistance = scenePoint.distanceTo(this.#sceneController.camera.position);
    const hit = this.#castTowards(model, scenePoint);
    return (
      !hit || hit.distance >= pointDistance - visibilityTolerance.metres - pointDistance * visibilityTolerance.fraction
    );
  }

  /** Whether nothing but the given objects is between an eye and a point. */
  isClear(model: LoadedModel, eye: Point3, point: Point3, objects: ReadonlySet<number>): boolean {
    const scenePoint = this.#sceneController.toScene(point);
    const sceneEye = this.#sceneController.toScene(eye);
    const distance = scenePoint.distanceTo(sceneEye);
    const hit = this.#castTowards(model, scenePoint, sceneEye, distance);
    return !hit || hit.distance >= distance || objects.has(model.findObject(hit) ?? -1);
  }

  #findFace(
    model: LoadedModel,
    pick: SurfacePick,
    scenePoint: Vector3,
  ): { readonly batch: BatchedMesh; readonly instance: number; readonly face: number } | undefined {
    const hit = this.#hits.get(pick) ?? this.#castTowards(model, scenePoint);
    const batch = hit && model.findPiece(hit)?.batches.meshes.find((mesh) => mesh === hit.object);
    return !hit || !batch || hit.batchId === undefined || hit.faceIndex === undefined || hit.faceIndex === null
      ? undefined
      : { batch, instance: hit.batchId, face: hit.faceIndex };
  }

  #castAt(model: LoadedModel, x: number, y: number): Intersection | undefined {
    const screenPosition = this.#sceneController.toScreenPosition(x, y);
    if (!screenPosition) return undefined;
    this.#raycaster.setFromCamera(new Vector2(screenPosition.x, screenPosition.y), this.#sceneController.camera);
    return this.#findFirstHit(model);
  }

  #castTowards(
    model: LoadedModel,
    scenePoint: Vector3,
    eye = this.#sceneController.camera.position,
    maxDistance?: number,
  ): Intersection | undefined {
    this.#raycaster.set(eye, scenePoint.clone().sub(eye).normalize());
    return this.#findFirstHit(model, maxDistance);
  }

  #findFirstHit(model: LoadedModel, maxDistance = Infinity): Intersection | undefined {
    this.#raycaster.near = nearMetres;
    this.#raycaster.far = Math.min(maxDistance, this.#sceneController.camera.far);
    return model
      .raycast(this.#raycaster)
      .find((hit) => model.clipping.every((plane) => plane.distanceToPoint(hit.point) >= 0));
  }
}
