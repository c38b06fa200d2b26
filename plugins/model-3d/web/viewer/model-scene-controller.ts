import { Matrix4, PerspectiveCamera, Scene, Vector3, WebGLRenderer, type Plane } from 'three';
import { radians, type Point3 } from '#core';
import { WebGlUnavailable, type EyeView, type CameraControllers, type MovingDetail } from '#plugins/tour';
import { SmoothTarget } from './smooth-target.ts';
import { Surroundings } from './surroundings.ts';

/** Near plane in metres. */
export const near = 0.05;
/** Limits of the canvas: pixel ratio, and total number of pixels. */
const maxPixelRatio = 2;
const maxPixels = 5_000_000;
/** Pixel limit during a movement on a slow machine. */
const coarseRatio = 0.7;

export interface ModelSceneEvents {
  /** Called before each frame; `now` in milliseconds. Returns whether another frame must follow. */
  readonly step: (now: number) => boolean;
  readonly drawn: () => void;
  readonly contextLost: () => void;
  readonly contextRestored: () => void;
}

/** Canvas, camera and light. Draws a frame on request, and none otherwise. */
export class ModelSceneController {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(75, 1, near, 1000);
  readonly #canvas = document.createElement('canvas');
  readonly #renderer: WebGLRenderer;
  readonly #smooth = new SmoothTarget();
  readonly #surroundings: Surroundings;
  readonly #events: ModelSceneEvents;
  readonly #detail: MovingDetail;
  readonly #context: WebGL2RenderingContext;
  #host: HTMLElement | undefined;
  #origin: Point3 = [0, 0, 0];
  #frame = 0;
  #coarse = false;
  #frames = 0;
  #lost = false;

  /** @throws `WebGlUnavailable` */
  constructor(walks: Pick<CameraControllers, 'createDetail'>, events: ModelSceneEvents) {
    this.#events = events;
    this.#detail = walks.createDetail(() => this.draw());
    const canvas = this.#canvas;
    Object.assign(canvas.style, {
      position: 'absolute',
      inset: '0',
      width: '100%',
      height: '100%',
      display: 'block',
      touchAction: 'none',
    });
    canvas.setAttribute('aria-hidden', 'true');
    const context = canvas.getContext('webgl2', {
      alpha: false,
      antialias: false,
      depth: true,
      stencil: false,
      powerPreference: 'high-performance',
    });
    if (!context) throw new WebGlUnavailable();
    this.#context = context;
    this.#renderer = new WebGLRenderer({ canvas, context });
    // A smooth frame is drawn in two passes.
    this.#renderer.info.autoReset = false;
    this.camera.up.set(0, 0, 1);
    this.#surroundings = new Surroundings(this.scene);
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.#lost = true;
      events.contextLost();
    });
    canvas.addEventListener('webglcontextrestored', () => {
      this.#lost = false;
      events.contextRestored();
      this.draw();
    });
  }

  get lost(): boolean {
    return this.#lost;
  }

  /** Fills an element and follows its size. Returns the function that removes the canvas. */
  attach(host: HTMLElement): () => void {
    this.#host = host;
    host.prepend(this.#canvas);
    const size = new ResizeObserver(() => {
      this.#resize();
      this.draw();
    });
    size.observe(host);
    this.#resize();
    this.draw();
    return () => {
      size.disconnect();
      this.#rest();
      this.#canvas.remove();
      this.#host = undefined;
    };
  }

  /** Sets the origin of the scene's coordinates, and the far distance. Metres. */
  setExtent(origin: Point3, far: number): void {
    this.#origin = origin;
    this.camera.far = far;
  }

  setDark(dark: boolean): void {
    this.#surroundings.setDark(dark);
    this.draw();
  }

  setClipping(planes: readonly Plane[]): void {
    this.#renderer.clippingPlanes = [...planes];
    this.draw();
  }

  place({ position, pan, tilt, fov }: EyeView): void {
    const { camera } = this;
    camera.position.copy(this.toScene(position));
    camera.quaternion.setFromRotationMatrix(
      new Matrix4().makeRotationZ(-radians(pan)).multiply(new Matrix4().makeRotationX(radians(90 + tilt))),
    );
    camera.fov = fov;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  toSite({ x, y, z }: Vector3): Point3 {
    return [x + this.#origin[0], y + this.#origin[1], z + this.#origin[2]];
  }

  toScene(point: Point3): Vector3 {
    return new Vector3(point[0] - this.#origin[0], point[1] - this.#origin[1], point[2] - this.#origin[2]);
  }

  /** Whether the graphics card is too slow for the content. */
  get slow(): boolean {
    return this.#detail.coarse;
  }

  /** CSS pixels. */
  get height(): number {
    return this.#host?.clientHeight ?? 0;
  }

  /** Position in the frame from -1 to 1, right and up; undefined if the canvas is not on screen. */
  onPlane(x: number, y: number): { readonly x: number; readonly y: number } | undefined {
    return this.#host && { x: (x / this.#host.clientWidth) * 2 - 1, y: 1 - (y / this.#host.clientHeight) * 2 };
  }

  /** Pixel of the host; undefined for a point behind the eye. Site frame. */
  toPixel(point: Point3): { readonly x: number; readonly y: number } | undefined {
    const place = this.toScene(point).applyMatrix4(this.camera.matrixWorldInverse);
    if (place.z > -near) return undefined;
    place.applyMatrix4(this.camera.projectionMatrix);
    const { clientWidth, clientHeight } = this.#host ?? { clientWidth: 0, clientHeight: 0 };
    return { x: ((place.x + 1) / 2) * clientWidth, y: ((1 - place.y) / 2) * clientHeight };
  }

  /** Requests a frame. */
  draw(): void {
    if (this.#frame !== 0 || !this.#host) return;
    this.#detail.onFrameRequested();
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = 0;
      const again = this.#events.step(now);
      this.#setCoarse(this.#detail.coarse);
      this.#render();
      this.#detail.onFrameDrawn(this.#context);
      if (again) this.draw();
    });
  }

  /** The current picture at full resolution. */
  picture(): Promise<Blob> {
    this.#setCoarse(false);
    this.#events.step(performance.now());
    this.#render();
    return new Promise((resolve, reject) => {
      // In the same task as the frame, because the buffer may be cleared afterwards.
      this.#canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be read from the graphics card.'))),
        'image/png',
      );
    });
  }

  get statistics(): {
    readonly renderer: string;
    readonly frames: number;
    readonly drawCalls: number;
    readonly triangles: number;
    readonly geometries: number;
    readonly textures: number;
  } {
    const { render, memory } = this.#renderer.info;
    const context = this.#renderer.getContext();
    const names = context.getExtension('WEBGL_debug_renderer_info');
    return {
      renderer: String(context.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : context.RENDERER)),
      frames: this.#frames,
      drawCalls: render.calls,
      triangles: render.triangles,
      geometries: memory.geometries,
      textures: memory.textures,
    };
  }

  /** Frees everything, including the context. */
  dispose(): void {
    this.#rest();
    this.#surroundings.dispose();
    this.#smooth.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
    this.#canvas.remove();
  }

  #rest(): void {
    cancelAnimationFrame(this.#frame);
    this.#detail.end();
    this.#frame = 0;
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#host ?? { clientWidth: 0, clientHeight: 0 };
    if (width === 0 || height === 0) return;
    const sharp = Math.min(window.devicePixelRatio || 1, maxPixelRatio, Math.sqrt(maxPixels / (width * height)));
    this.#renderer.setPixelRatio(this.#coarse ? sharp * coarseRatio : sharp);
    this.#renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
  }

  #setCoarse(coarse: boolean): void {
    if (coarse === this.#coarse) return;
    this.#coarse = coarse;
    this.#resize();
  }

  #render(): void {
    if (this.#lost) return;
    this.#renderer.info.reset();
    // On a slow card antialiasing takes as long as everything else.
    if (this.#coarse) this.#renderer.render(this.scene, this.camera);
    else this.#smooth.render(this.#renderer, this.scene, this.camera);
    this.#frames += 1;
    this.#events.drawn();
  }
}
