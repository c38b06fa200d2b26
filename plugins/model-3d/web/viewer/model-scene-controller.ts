import { Matrix4, PerspectiveCamera, Scene, Vector3, WebGLRenderer, type Plane } from 'three';
import { toRadians, type Point3 } from '#core';
import { WebGlUnavailable, type CameraView, type CameraControllers, type MovingDetail } from '#plugins/tour';
import { SmoothTarget } from './smooth-target.ts';
import { Surroundings } from './surroundings.ts';

/** Distance of the near plane. */
export const nearMetres = 0.05;
const maxPixelRatio = 2;
const maxPixels = 5_000_000;
/** Factor of the pixel ratio while the camera moves on a slow machine. */
const coarsePixelFactor = 0.7;

export interface ModelSceneEvents {
  /** Called before each frame with the time in milliseconds. Returns whether another frame must follow. */
  readonly beforeFrame: (now: number) => boolean;
  readonly onDrawn: () => void;
  readonly contextLost: () => void;
  readonly contextRestored: () => void;
}

/** Owns the canvas, the camera and the light. Draws a frame only on request. */
export class ModelSceneController {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(75, 1, nearMetres, 1000);
  readonly #canvas = document.createElement('canvas');
  readonly #renderer: WebGLRenderer;
  readonly #smoothTarget = new SmoothTarget();
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

  /** @throws `WebGlUnavailable` if the browser has no WebGL 2 */
  constructor(cameraControllers: Pick<CameraControllers, 'createDetail'>, events: ModelSceneEvents) {
    this.#events = events;
    this.#detail = cameraControllers.createDetail(() => this.requestFrame());
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
    // A smooth frame has two passes, whose statistics are added.
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
      this.requestFrame();
    });
  }

  get lost(): boolean {
    return this.#lost;
  }

  /** Fills an element with the canvas and follows its size. Returns the function that removes the canvas. */
  attach(host: HTMLElement): () => void {
    this.#host = host;
    host.prepend(this.#canvas);
    const resizeObserver = new ResizeObserver(() => {
      this.#resize();
      this.requestFrame();
    });
    resizeObserver.observe(host);
    this.#resize();
    this.requestFrame();
    return () => {
      resizeObserver.disconnect();
      this.#stopDrawing();
      this.#canvas.remove();
      this.#host = undefined;
    };
  }

  /** Sets the origin of the scene's coordinates and the distance of the far plane, in metres. */
  setExtent(origin: Point3, farPlaneMetres: number): void {
    this.#origin = origin;
    this.camera.far = farPlaneMetres;
  }

  setDark(dark: boolean): void {
    this.#surroundings.setDark(dark);
    this.requestFrame();
  }

  setClipping(planes: readonly Plane[]): void {
    this.#renderer.clippingPlanes = [...planes];
    this.requestFrame();
  }

  setView({ position, pan, tilt, fov }: CameraView): void {
    const { camera } = this;
    camera.position.copy(this.toScene(position));
    camera.quaternion.setFromRotationMatrix(
      new Matrix4().makeRotationZ(-toRadians(pan)).multiply(new Matrix4().makeRotationX(toRadians(90 + tilt))),
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

  /** The size of the canvas in CSS pixels. */
  get size(): { readonly width: number; readonly height: number } {
    return { width: this.#host?.clientWidth ?? 0, height: this.#host?.clientHeight ?? 0 };
  }

  /** Converts a pixel to a position from -1 to 1, to the right and up, if the canvas is on screen. */
  toScreenPosition(x: number, y: number): { readonly x: number; readonly y: number } | undefined {
    return this.#host && { x: (x / this.#host.clientWidth) * 2 - 1, y: 1 - (y / this.#host.clientHeight) * 2 };
  }

  /** Converts a point of the site frame to a pixel of the host, if it is in front of the eye. */
  toPixel(point: Point3): { readonly x: number; readonly y: number } | undefined {
    const scenePoint = this.toScene(point).applyMatrix4(this.camera.matrixWorldInverse);
    if (scenePoint.z > -nearMetres) return undefined;
    scenePoint.applyMatrix4(this.camera.projectionMatrix);
    const { clientWidth, clientHeight } = this.#host ?? { clientWidth: 0, clientHeight: 0 };
    return { x: ((scenePoint.x + 1) / 2) * clientWidth, y: ((1 - scenePoint.y) / 2) * clientHeight };
  }

  requestFrame(): void {
    if (this.#frame !== 0 || !this.#host) return;
    this.#detail.onFrameRequested();
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = 0;
      const needsFrame = this.#events.beforeFrame(now);
      this.#setCoarse(this.#detail.coarse);
      this.#render();
      this.#detail.onFrameDrawn(this.#context);
      if (needsFrame) this.requestFrame();
    });
  }

  /** Renders the current picture at full resolution. */
  takePicture(): Promise<Blob> {
    this.#setCoarse(false);
    this.#events.beforeFrame(performance.now());
    this.#render();
    return new Promise((resolve, reject) => {
      // The picture is read in the task that drew it, because the buffer may be cleared afterwards.
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
    const rendererInfo = context.getExtension('WEBGL_debug_renderer_info');
    return {
      renderer: String(context.getParameter(rendererInfo ? rendererInfo.UNMASKED_RENDERER_WEBGL : context.RENDERER)),
      frames: this.#frames,
      drawCalls: render.calls,
      triangles: render.triangles,
      geometries: memory.geometries,
      textures: memory.textures,
    };
  }

  /** Frees all memory and the WebGL context. */
  dispose(): void {
    this.#stopDrawing();
    this.#surroundings.dispose();
    this.#smoothTarget.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
    this.#canvas.remove();
  }

  #stopDrawing(): void {
    cancelAnimationFrame(this.#frame);
    this.#detail.end();
    this.#frame = 0;
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#host ?? { clientWidth: 0, clientHeight: 0 };
    if (width === 0 || height === 0) return;
    const pixelRatio = Math.min(window.devicePixelRatio || 1, maxPixelRatio, Math.sqrt(maxPixels / (width * height)));
    this.#renderer.setPixelRatio(this.#coarse ? pixelRatio * coarsePixelFactor : pixelRatio);
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
    // On a slow card, antialiasing takes as long as all other drawing.
    if (this.#coarse) this.#renderer.render(this.scene, this.camera);
    else this.#smoothTarget.render(this.#renderer, this.scene, this.camera);
    this.#frames += 1;
    this.#events.onDrawn();
  }
}
