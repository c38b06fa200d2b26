import { Box3, Color, Group, Matrix4, Mesh, MeshLambertMaterial, PerspectiveCamera, Plane, BufferGeometry, Raycaster, Scene, Vector2, Vector3, WebGLRenderer, type Intersection } from 'three';
import { radians, type Point3 } from '#core';
import { WebGlUnavailable, type SurfacePick } from '#plugins/tour';
import { Batches, normalOf, type BatchedPart } from './batches.ts';
import { Emitter } from './emitter.ts';
import type { Appearance3d, Box, ModelEngine, ModelEngineEvents, ModelHit, ModelStatistics } from './engine-types.ts';
import type { ModelContent } from './model-content.ts';
import { listenToKeys, listenToPointers } from './model-input.ts';
import { eyeFor, ModelMotion, type EyeState, type MotionMode } from './model-motion.ts';
import { surfacePatch } from './surface-patch.ts';
import { Surroundings } from './surroundings.ts';

const near = 0.05;
/** Canvas pixels for one pixel of the page, and in all. */
const mostRatio = 2;
const mostPixels = 5_000_000;
/** Where a frame that was asked for comes later than this, the card is still busy with the one before: fewer pixels are drawn while one moves. Milliseconds. */
const slowFrame = 50;
const coarseRatio = 0.5;
/** Milliseconds of rest after which the picture is drawn sharp. */
const rest = 160;
/** The file's coordinates are kept to half a millimetre (`import-model.ts`). */
const sigma = 0.001;
/** Pixels to the side of a pick at which the surface is looked for, and how much farther it may lie there. */
const edgeReach = 2;
const edgeShare = 0.04;
/** Metres, and share of the distance, that something may stand before a point that is seen. */
const sightSlack = { metres: 0.03, share: 0.003 } as const;

const selectedColour = new Color(0xff8a1f);
const xrayOpacity = 0.13;
/** Of a selection of more parts only the colour shows in x-ray: each is a call of its own. */
const mostOpaque = 400;

/** Draws on demand by three.js: a frame for each change, none at rest. */
export class ThreeModelEngine implements ModelEngine {
  readonly #events = new Emitter<ModelEngineEvents>();
  readonly #canvas = document.createElement('canvas');
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(75, 1, near, 1000);
  readonly #surroundings: Surroundings;
  readonly #opaque = new Group();
  readonly #opaqueMaterial = new MeshLambertMaterial({ color: selectedColour });
  readonly #motion = new ModelMotion();
  readonly #raycaster = new Raycaster();
  readonly #hits = new WeakMap<SurfacePick, Intersection>();
  readonly #boxes = new Map<number, Box3>();
  #batches: Batches | undefined;
  #origin: Point3 = [0, 0, 0];
  #appearance: Appearance3d = { selected: [], hidden: new Set(), xray: false, section: undefined };
  #colours = new Map<BatchedPart, Color>();
  #host: HTMLElement | undefined;
  #frame = 0;
  #restTimer = 0;
  #coarse = false;
  #told: EyeState | undefined;
  #frames = 0;
  #lost = false;

  /** Throws `WebGlUnavailable`. */
  constructor() {
    const canvas = this.#canvas;
    Object.assign(canvas.style, { position: 'absolute', inset: '0', width: '100%', height: '100%', display: 'block', touchAction: 'none' });
    canvas.setAttribute('aria-hidden', 'true');
    const context = canvas.getContext('webgl2', { alpha: false, antialias: true, depth: true, stencil: false, powerPreference: 'high-performance' });
    if (!context) throw new WebGlUnavailable();
    this.#renderer = new WebGLRenderer({ canvas, context });
    this.#renderer.info.autoReset = true;
    this.#camera.up.set(0, 0, 1);
    this.#surroundings = new Surroundings(this.#scene);
    this.#scene.add(this.#opaque);
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.#lost = true;
      this.#events.emit('contextLost', undefined);
    });
    canvas.addEventListener('webglcontextrestored', () => {
      this.#lost = false;
      this.#events.emit('contextRestored', undefined);
      this.#draw();
    });
  }

  attach(host: HTMLElement, { label }: { readonly label: string }): () => void {
    this.#host = host;
    host.prepend(this.#canvas);
    Object.assign(host, { tabIndex: 0 });
    host.setAttribute('role', 'application');
    host.setAttribute('aria-label', label);
    host.style.touchAction = 'none';
    const target = { motion: this.#motion, height: host.clientHeight, pointAt: (x: number, y: number) => this.#pointAt(x, y), changed: () => this.#draw(), home: () => this.fit() };
    const size = new ResizeObserver(() => {
      target.height = host.clientHeight;
      this.#resize();
      this.#draw();
    });
    size.observe(host);
    this.#resize();
    const ends = [listenToKeys(host, target), listenToPointers(host, target, (x, y, event) => this.#clicked(x, y, event))];
    this.#draw();
    return () => {
      for (const end of ends) end();
      size.disconnect();
      this.#motion.moveSteadily({});
      cancelAnimationFrame(this.#frame);
      clearTimeout(this.#restTimer);
      this.#frame = 0;
      this.#canvas.remove();
      this.#host = undefined;
    };
  }

  show(content: ModelContent): void {
    this.#clear();
    const box = new Box3();
    const scratch = new Box3();
    const boxOf = (part: ModelContent['parts'][number]): Box3 => {
      if (!part.geometry.boundingBox) part.geometry.computeBoundingBox();
      return scratch.copy(part.geometry.boundingBox ?? new Box3()).applyMatrix4(part.matrix);
    };
    for (const part of content.parts) {
      const own = boxOf(part);
      box.union(own);
      const known = this.#boxes.get(part.object);
      if (known) known.union(own);
      else this.#boxes.set(part.object, own.clone());
    }
    // Whole metres, so that nothing is rounded by the move.
    const centre = box.isEmpty() ? new Vector3() : box.getCenter(new Vector3());
    this.#origin = [Math.round(centre.x), Math.round(centre.y), Math.round(centre.z)];
    const size = box.isEmpty() ? 100 : box.getSize(new Vector3()).length();
    this.#camera.far = Math.max(200, size * 3);
    this.#batches = new Batches(content, this.#origin);
    this.#scene.add(...this.#batches.meshes);
    // The batches hold copies.
    for (const geometry of new Set(content.parts.map((part) => part.geometry))) geometry.dispose();
    this.setAppearance({ selected: [], hidden: new Set(), xray: false, section: undefined });
  }

  get state(): EyeState {
    return this.#motion.state;
  }

  setState(state: Partial<EyeState>): void {
    this.#motion.set(state);
    this.#told = this.#motion.state;
    this.#draw();
  }

  flyTo(state: Partial<EyeState>): void {
    this.#motion.flyTo(state, performance.now(), window.matchMedia('(prefers-reduced-motion: reduce)').matches);
    this.#draw();
  }

  setMode(mode: MotionMode): void {
    this.#motion.mode = mode;
    this.#motion.moveSteadily({});
  }

  setAppearance(appearance: Appearance3d): void {
    const batches = this.#batches;
    const before = this.#appearance;
    this.#appearance = appearance;
    if (!batches) return;
    const { selected, hidden, xray, section } = appearance;
    if (hidden !== before.hidden) for (const { batch, instance, object } of batches.parts) batch.setVisibleAt(instance, !hidden.has(object));
    for (const [{ batch, instance }, colour] of this.#colours) batch.setColorAt(instance, colour);
    this.#colours = new Map();
    const parts = selected.flatMap((object) => batches.partsOf(object));
    for (const part of parts) {
      const own = new Color();
      part.batch.getColorAt(part.instance, own);
      this.#colours.set(part, own.clone());
      part.batch.setColorAt(part.instance, own.lerp(selectedColour, 0.75));
    }
    this.#showOpaque(xray && parts.length <= mostOpaque ? parts.filter((part) => !hidden.has(part.object)) : []);
    if (xray !== before.xray) {
      for (const { material } of batches.meshes) {
        const own = material as MeshLambertMaterial & { readonly userData: { plain?: { readonly transparent: boolean; readonly opacity: number; readonly depthWrite: boolean } } };
        own.userData.plain ??= { transparent: own.transparent, opacity: own.opacity, depthWrite: own.depthWrite };
        Object.assign(own, xray ? { transparent: true, opacity: xrayOpacity, depthWrite: false } : own.userData.plain);
        own.needsUpdate = true;
      }
    }
    this.#renderer.clippingPlanes = section ? [planeOf(section, this.#origin)] : [];
    this.#draw();
  }

  setDark(dark: boolean): void {
    this.#surroundings.setDark(dark);
    this.#draw();
  }

  fit(objects?: readonly number[]): void {
    const bounds = this.boundsOf(objects);
    if (!bounds) return;
    const { min, max } = bounds;
    const centre: Point3 = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
    this.#motion.target = centre;
    this.flyTo(eyeFor(centre, Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]) / 2, this.#motion.state, this.#camera.aspect));
  }

  boundsOf(objects?: readonly number[]): Box | undefined {
    const box = new Box3();
    for (const object of objects ?? this.#boxes.keys()) {
      const own = this.#boxes.get(object);
      if (own && !this.#appearance.hidden.has(object)) box.union(own);
    }
    return box.isEmpty() ? undefined : { min: box.min.toArray(), max: box.max.toArray() };
  }

  pick(x: number, y: number): ModelHit | undefined {
    const hit = this.#hitAt(x, y);
    const object = hit && this.#batches?.objectAt(hit);
    if (!hit || object === undefined) return undefined;
    const normal = normalOf(hit, this.#camera.position);
    const pick: ModelHit = {
      point: this.#toSite(hit.point),
      normal: normal ? (normal.toArray() as unknown as Point3) : undefined,
      source: 'MODEL',
      sigma,
      edge: [[edgeReach, 0], [-edgeReach, 0], [0, edgeReach], [0, -edgeReach]].some(([dx = 0, dy = 0]) => {
        const beside = this.#hitAt(x + dx, y + dy);
        return !beside || (Math.abs(beside.distance - hit.distance) > hit.distance * edgeShare && this.#batches?.objectAt(beside) !== object);
      }),
      object,
    };
    this.#hits.set(pick, hit);
    return pick;
  }

  patch(pick: SurfacePick, radius: number): Float64Array {
    const place = this.#toScene(pick.point);
    const hit = this.#hits.get(pick) ?? this.#hitTowards(place);
    const batch = this.#batches?.meshes.find((mesh) => mesh === hit?.object);
    if (!hit || !batch || hit.batchId === undefined || hit.faceIndex === undefined || hit.faceIndex === null) return new Float64Array();
    const points = surfacePatch(batch, hit.batchId, hit.faceIndex, place, radius);
    return Float64Array.from(points.flatMap((point) => this.#toSite(point)));
  }

  pixelOf(point: Point3): { readonly x: number; readonly y: number } | undefined {
    this.#placeCamera();
    const place = this.#toScene(point).applyMatrix4(this.#camera.matrixWorldInverse);
    if (place.z > -near) return undefined;
    place.applyMatrix4(this.#camera.projectionMatrix);
    const { clientWidth, clientHeight } = this.#host ?? { clientWidth: 0, clientHeight: 0 };
    return { x: ((place.x + 1) / 2) * clientWidth, y: ((1 - place.y) / 2) * clientHeight };
  }

  sees(point: Point3): boolean {
    this.#placeCamera();
    const place = this.#toScene(point);
    const away = place.distanceTo(this.#camera.position);
    const hit = this.#hitTowards(place);
    return !hit || hit.distance >= away - sightSlack.metres - away * sightSlack.share;
  }

  picture(): Promise<Blob> {
    this.#coarse = false;
    this.#resize();
    this.#render();
    return new Promise((resolve, reject) => {
      // In the same task as the frame: afterwards the buffer may be empty.
      this.#canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be read from the graphics card.'))), 'image/png');
    });
  }

  on<K extends keyof ModelEngineEvents>(event: K, listener: (value: ModelEngineEvents[K]) => void): () => void {
    return this.#events.on(event, listener);
  }

  get statistics(): ModelStatistics {
    const { render, memory } = this.#renderer.info;
    const context = this.#renderer.getContext();
    const names = context.getExtension('WEBGL_debug_renderer_info');
    return {
      renderer: String(context.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : context.RENDERER)),
      frames: this.#frames,
      drawCalls: render.calls,
      triangles: render.triangles,
      objects: this.#boxes.size,
      geometries: memory.geometries,
      textures: memory.textures,
    };
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#restTimer);
    this.#clear();
    this.#surroundings.dispose();
    this.#opaqueMaterial.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
    this.#canvas.remove();
  }

  #clear(): void {
    this.#showOpaque([]);
    if (this.#batches) {
      this.#scene.remove(...this.#batches.meshes);
      this.#batches.dispose();
    }
    this.#batches = undefined;
    this.#boxes.clear();
    this.#colours = new Map();
  }

  /** Selected parts as they are, inside what x-ray makes faint: they share the batch's buffers. */
  #showOpaque(parts: readonly BatchedPart[]): void {
    for (const child of this.#opaque.children) {
      if (!(child instanceof Mesh)) continue;
      const geometry = child.geometry as BufferGeometry;
      // The buffers are the batch's: let go of them, and free only what is this one's own.
      geometry.index = null;
      geometry.attributes = {};
      geometry.dispose();
    }
    this.#opaque.clear();
    for (const { batch, instance } of parts) {
      const range = batch.getGeometryRangeAt(batch.getGeometryIdAt(instance));
      if (!range) continue;
      const geometry = new BufferGeometry();
      geometry.index = batch.geometry.index;
      geometry.attributes = batch.geometry.attributes;
      geometry.setDrawRange(range.start, range.count);
      const mesh = new Mesh(geometry, this.#opaqueMaterial);
      mesh.frustumCulled = false;
      mesh.matrixAutoUpdate = false;
      batch.getMatrixAt(instance, mesh.matrix);
      this.#opaque.add(mesh);
    }
  }

  #clicked(x: number, y: number, event: PointerEvent): void {
    const hit = this.#hitAt(x, y);
    this.#events.emit('clicked', { object: hit && this.#batches?.objectAt(hit), add: event.ctrlKey || event.metaKey });
    this.#host?.focus({ preventScroll: true });
  }

  #pointAt(x: number, y: number): Point3 | undefined {
    const hit = this.#hitAt(x, y);
    return hit && this.#toSite(hit.point);
  }

  #hitAt(x: number, y: number): Intersection | undefined {
    if (!this.#host) return undefined;
    this.#placeCamera();
    this.#raycaster.setFromCamera(new Vector2((x / this.#host.clientWidth) * 2 - 1, 1 - (y / this.#host.clientHeight) * 2), this.#camera);
    return this.#firstHit();
  }

  #hitTowards(place: Vector3): Intersection | undefined {
    this.#placeCamera();
    this.#raycaster.set(this.#camera.position, place.clone().sub(this.#camera.position).normalize());
    return this.#firstHit();
  }

  #firstHit(): Intersection | undefined {
    this.#raycaster.near = near;
    this.#raycaster.far = this.#camera.far;
    const planes = this.#renderer.clippingPlanes;
    return this.#batches?.raycast(this.#raycaster).find((hit) => planes.every((plane) => plane.distanceToPoint(hit.point) >= 0));
  }

  #toSite({ x, y, z }: Vector3): Point3 {
    return [x + this.#origin[0], y + this.#origin[1], z + this.#origin[2]];
  }

  #toScene(point: Point3): Vector3 {
    return new Vector3(point[0] - this.#origin[0], point[1] - this.#origin[1], point[2] - this.#origin[2]);
  }

  #placeCamera(): void {
    const { position, pan, tilt, fov } = this.#motion.state;
    const camera = this.#camera;
    camera.position.copy(this.#toScene(position));
    camera.quaternion.setFromRotationMatrix(new Matrix4().makeRotationZ(-radians(pan)).multiply(new Matrix4().makeRotationX(radians(90 + tilt))));
    camera.fov = fov;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#host ?? { clientWidth: 0, clientHeight: 0 };
    if (width === 0 || height === 0) return;
    const sharp = Math.min(window.devicePixelRatio || 1, mostRatio, Math.sqrt(mostPixels / (width * height)));
    this.#renderer.setPixelRatio(this.#coarse ? sharp * coarseRatio : sharp);
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / height;
  }

  /** Asks for a frame. */
  #draw(): void {
    if (this.#frame !== 0 || !this.#host) return;
    const asked = performance.now();
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = 0;
      this.#motion.step(now);
      this.#adapt(performance.now() - asked);
      this.#render();
      if (this.#motion.moving) this.#draw();
    });
  }

  /** Fewer pixels while one moves on a slow machine, all of them at rest. */
  #adapt(waited: number): void {
    clearTimeout(this.#restTimer);
    if (!this.#coarse && waited > slowFrame) this.#setCoarse(true);
    if (this.#coarse) {
      this.#restTimer = window.setTimeout(() => {
        this.#setCoarse(false);
        this.#draw();
      }, rest);
    }
  }

  #setCoarse(coarse: boolean): void {
    this.#coarse = coarse;
    this.#resize();
  }

  #render(): void {
    if (this.#lost) return;
    this.#placeCamera();
    this.#renderer.render(this.#scene, this.#camera);
    this.#frames += 1;
    const { state } = this.#motion;
    if (state !== this.#told) {
      this.#told = state;
      this.#events.emit('moved', state);
    }
    this.#events.emit('frame', undefined);
  }
}

function planeOf({ axis, offset, flipped }: NonNullable<Appearance3d['section']>, origin: Point3): Plane {
  const index = { x: 0, y: 1, z: 2 }[axis] as 0 | 1 | 2;
  const normal = new Vector3().setComponent(index, flipped ? 1 : -1);
  return new Plane(normal, (flipped ? -1 : 1) * (offset - origin[index]));
}
