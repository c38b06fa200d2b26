import { Raycaster, Vector2, Vector3, type BatchedMesh, type Intersection } from 'three';
import type { Point3 } from '#core';
import type { SurfaceMesh, SurfacePick } from '#plugins/tour';
import { computeNormal } from './batches.ts';
import type { ModelHit } from './engine-types.ts';
import { near, type ModelSceneController } from './model-scene-controller.ts';
import type { ShownModel } from './shown-model.ts';
import { surfaceMesh } from './surface-mesh.ts';
import { surfacePatch } from './surface-patch.ts';

/** Distance in pixels at which the surface around a pick is sampled, and share by which it may be farther there. */
const edgeReach = 2;
const edgeShare = 0.04;
/** Tolerance of the visibility test: metres, and share of the distance. */
const sightSlack = { metres: 0.03, share: 0.003 } as const;

/**
 * Ray casts into the visible part of a model, without hidden and cut objects. The scene controller's camera must be up
 * to date.
 */
export class ModelPicks {
  readonly #stage: ModelSceneController;
  readonly #raycaster = new Raycaster();
  readonly #hits = new WeakMap<SurfacePick, Intersection>();

  constructor(stage: ModelSceneController) {
    this.#stage = stage;
  }

  pick(model: ShownModel, x: number, y: number): ModelHit | undefined {
    const hit = this.#hitAt(model, x, y);
    const object = hit && model.objectAt(hit);
    const sigma = hit && model.pieceAt(hit)?.sigma;
    if (!hit || object === undefined || sigma === undefined) return undefined;
    const normal = computeNormal(hit, this.#stage.camera.position);
    const pick: ModelHit = {
      point: this.#stage.toSite(hit.point),
      normal: normal && [normal.x, normal.y, normal.z],
      source: 'MODEL',
      sigma,
      edge: [
        [edgeReach, 0],
        [-edgeReach, 0],
        [0, edgeReach],
        [0, -edgeReach],
      ].some(([dx = 0, dy = 0]) => {
        const beside = this.#hitAt(model, x + dx, y + dy);
        return (
          !beside ||
          (Math.abs(beside.distance - hit.distance) > hit.distance * edgeShare && model.objectAt(beside) !== object)
        );
      }),
      object,
    };
    this.#hits.set(pick, hit);
    return pick;
  }

  /** The object under a pixel, and the hit point. */
  objectAt(
    model: ShownModel,
    x: number,
    y: number,
  ): { readonly object: number | undefined; readonly point: Point3 } | undefined {
    const hit = this.#hitAt(model, x, y);
    return hit && { object: model.objectAt(hit), point: this.#stage.toSite(hit.point) };
  }

  patch(model: ShownModel, pick: SurfacePick, radius: number): Float64Array {
    const place = this.#stage.toScene(pick.point);
    const face = this.#findFace(model, pick, place);
    if (!face) return new Float64Array();
    const points = surfacePatch(face.batch, face.instance, face.face, place, radius);
    return Float64Array.from(points.flatMap((point) => this.#stage.toSite(point)));
  }

  mesh(model: ShownModel, pick: SurfacePick, radius: number): SurfaceMesh | undefined {
    const place = this.#stage.toScene(pick.point);
    const face = this.#findFace(model, pick, place);
    const mesh = face && surfaceMesh(face.batch, face.instance, face.face, place, radius);
    if (!mesh) return undefined;
    const { corners, hit } = mesh;
    const corner = new Vector3();
    for (let at = 0; at < corners.length; at += 3) corners.set(this.#stage.toSite(corner.fromArray(corners, at)), at);
    return { corners, hit };
  }

  sees(model: ShownModel, point: Point3): boolean {
    const place = this.#stage.toScene(point);
    const away = place.distanceTo(this.#stage.camera.position);
    const hit = this.#hitTowards(model, place);
    return !hit || hit.distance >= away - sightSlack.metres - away * sightSlack.share;
  }

  #findFace(
    model: ShownModel,
    pick: SurfacePick,
    place: Vector3,
  ): { readonly batch: BatchedMesh; readonly instance: number; readonly face: number } | undefined {
    const hit = this.#hits.get(pick) ?? this.#hitTowards(model, place);
    const batch = hit && model.pieceAt(hit)?.batches.meshes.find((mesh) => mesh === hit.object);
    return !hit || !batch || hit.batchId === undefined || hit.faceIndex === undefined || hit.faceIndex === null
      ? undefined
      : { batch, instance: hit.batchId, face: hit.faceIndex };
  }

  #hitAt(model: ShownModel, x: number, y: number): Intersection | undefined {
    const place = this.#stage.onPlane(x, y);
    if (!place) return undefined;
    this.#raycaster.setFromCamera(new Vector2(place.x, place.y), this.#stage.camera);
    return this.#firstHit(model);
  }

  #hitTowards(model: ShownModel, place: Vector3): Intersection | undefined {
    const { position } = this.#stage.camera;
    this.#raycaster.set(position, place.clone().sub(position).normalize());
    return this.#firstHit(model);
  }

  #firstHit(model: ShownModel): Intersection | undefined {
    this.#raycaster.near = near;
    this.#raycaster.far = this.#stage.camera.far;
    return model
      .raycast(this.#raycaster)
      .find((hit) => model.clipping.every((plane) => plane.distanceToPoint(hit.point) >= 0));
  }
}
