import { toDirection, type Point3 } from '#core';
import type { HttpClient } from '#core/web';
import type { PanoramaEngine, TourNode, TourStore } from '#plugins/tour';
import type { findSurface } from '#plugins/tour/api';
import type { MarkerDraft } from '../stores/marker-draft.ts';

/** A longer movement turns the view instead of adding a point. */
const clickTolerancePx = 6;
/** Angle by which an arrow key moves a corner. */
const nudgeDegrees = 0.25;

export interface MarkerInputServices {
  readonly http: HttpClient;
  readonly store: TourStore;
  readonly engine: () => PanoramaEngine | undefined;
  readonly draft: () => MarkerDraft | undefined;
  /** Returns the node whose picture is on screen. */
  readonly findShownNode: () => TourNode | undefined;
  /** Returns the capture time of the picture at a pixel of the host, or undefined for the latest picture. */
  readonly findCaptureTime: (x: number) => string | undefined;
}

/** Adds points to the draft by clicks, by touch, or by the key Enter for the centre of the picture. */
export class MarkerInputController {
  readonly #services: MarkerInputServices;
  #host: HTMLElement | undefined;

  constructor(services: MarkerInputServices) {
    this.#services = services;
  }

  listen(host: HTMLElement): () => void {
    this.#host = host;
    const abort = new AbortController();
    const options = { capture: true, signal: abort.signal } as const;
    let pressPosition: { readonly x: number; readonly y: number } | undefined;
    host.addEventListener(
      'pointerdown',
      ({ clientX: x, clientY: y, isPrimary }) => (pressPosition = isPrimary ? { x, y } : undefined),
      options,
    );
    host.addEventListener(
      'click',
      (event) => {
        if (!this.#isPlacing || isHandle(event.target)) return;
        // Elements under the pointer, such as hotspots, must not react.
        event.preventDefault();
        event.stopPropagation();
        if (
          pressPosition &&
          Math.hypot(event.clientX - pressPosition.x, event.clientY - pressPosition.y) <= clickTolerancePx
        )
          void this.#addPoint(this.#toHostPosition(event));
      },
      options,
    );
    host.addEventListener('keydown', (event) => this.#handleKey(event), options);
    return () => {
      abort.abort();
      this.#host = undefined;
    };
  }

  /** Attaches the listeners for pointer and keys to the button of a corner. */
  readonly attachInput = (button: HTMLButtonElement, index: number): void => {
    button.dataset['corner'] = String(index);
    let dragStartPoints: readonly Point3[] | undefined;
    button.addEventListener('pointerdown', (event) => {
      if (!this.#isPlacing || event.button !== 0) return;
      event.stopPropagation();
      button.setPointerCapture(event.pointerId);
      dragStartPoints = this.#services.draft()?.points;
    });
    button.addEventListener('pointermove', (event) => {
      if (dragStartPoints && button.hasPointerCapture(event.pointerId)) this.#drag(index, this.#toHostPosition(event));
    });
    const handleDrop = (event: PointerEvent): void => {
      const pointsBeforeDrag = dragStartPoints;
      dragStartPoints = undefined;
      if (pointsBeforeDrag && pointsBeforeDrag !== this.#services.draft()?.points)
        void this.#drop(index, this.#toHostPosition(event), pointsBeforeDrag);
    };
    button.addEventListener('pointerup', handleDrop);
    button.addEventListener('pointercancel', handleDrop);
    button.addEventListener('keydown', (event) => this.#handleCornerKey(event, index));
  };

  get #isPlacing(): boolean {
    return this.#services.draft()?.isPlacing === true;
  }

  #toHostPosition({ clientX, clientY }: MouseEvent): { readonly x: number; readonly y: number } {
    const box = this.#host?.getBoundingClientRect();
    return { x: clientX - (box?.left ?? 0), y: clientY - (box?.top ?? 0) };
  }

  #handleKey(event: KeyboardEvent): void {
    const draft = this.#services.draft();
    const host = this.#host;
    if (!draft?.isPlacing || !host || isHandle(event.target)) return;
    const isUndo = event.key === 'Backspace' || (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey));
    if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement))
      void this.#addPoint({ x: host.clientWidth / 2, y: host.clientHeight / 2 });
    else if (isUndo) draft.undo();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #handleCornerKey(event: KeyboardEvent, index: number): void {
    const draft = this.#services.draft();
    const engine = this.#services.engine();
    const point = draft?.points[index];
    const nudge = (
      {
        ArrowLeft: [-nudgeDegrees, 0],
        ArrowRight: [nudgeDegrees, 0],
        ArrowUp: [0, nudgeDegrees],
        ArrowDown: [0, -nudgeDegrees],
      } as Readonly<Record<string, readonly [number, number]>>
    )[event.key];
    if (!draft?.isPlacing || !engine || !point) return;
    if (event.key === 'Delete') draft.removeCorner(index);
    else if (nudge) {
      const { pan, tilt, distance } = this.#toView(point);
      draft.moveCorner(index, this.#toPoint(pan + nudge[0], tilt + nudge[1], distance));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  async #addPoint(position: { readonly x: number; readonly y: number }): Promise<void> {
    const draft = this.#services.draft();
    if (!draft || draft.isLookingUp) return;
    draft.startLookUp();
    const surface = await this.#findSurface(position);
    if (draft !== this.#services.draft() || !draft.isPlacing) return;
    if (surface === 'failed') draft.setProblem('failed');
    else if (surface) draft.addPoint(surface);
    else draft.setProblem('nothingThere');
  }

  /** Moves the corner at the same distance from the camera. */
  #drag(index: number, position: { readonly x: number; readonly y: number }): void {
    const draft = this.#services.draft();
    const direction = this.#services.engine()?.directionAt(position.x, position.y);
    const point = draft?.points[index];
    if (draft && direction && point)
      draft.previewCorner(index, this.#toPoint(direction.pan, direction.tilt, this.#toView(point).distance));
  }

  async #drop(
    index: number,
    position: { readonly x: number; readonly y: number },
    initial: readonly Point3[],
  ): Promise<void> {
    const draft = this.#services.draft();
    if (!draft) return;
    const droppedPoint = draft.points[index];
    const surface = await this.#findSurface(position);
    if (droppedPoint && draft === this.#services.draft())
      draft.moveCorner(index, typeof surface === 'object' && surface ? surface : droppedPoint, initial);
  }

  async #findSurface({ x, y }: { readonly x: number; readonly y: number }): Promise<Point3 | null | 'failed'> {
    const { http, store, engine, findShownNode, findCaptureTime } = this.#services;
    const direction = engine()?.directionAt(x, y);
    const node = findShownNode();
    const location = store.opened?.tour.location;
    if (!direction || !node || location === undefined) return 'failed';
    const capturedAt = findCaptureTime(x);
    const query = { ...direction, ...(capturedAt === undefined ? {} : { capturedAt }) };
    return http
      .call<typeof findSurface>('GET', '/api/tour/:location/nodes/:node/surface', {
        params: { location, node: node.uid },
        query,
      })
      .then(
        ({ point }) => point,
        () => 'failed' as const,
      );
  }

  #getEye(): Point3 {
    return this.#services.findShownNode()?.position ?? [0, 0, 0];
  }

  #toView([x, y, z]: Point3): { readonly pan: number; readonly tilt: number; readonly distance: number } {
    const eye = this.#getEye();
    const ray: Point3 = [x - eye[0], y - eye[1], z - eye[2]];
    const distance = Math.hypot(...ray);
    return {
      pan: (Math.atan2(ray[0], ray[1]) * 180) / Math.PI,
      tilt: distance === 0 ? 0 : (Math.asin(ray[2] / distance) * 180) / Math.PI,
      distance,
    };
  }

  #toPoint(pan: number, tilt: number, distance: number): Point3 {
    const eye = this.#getEye();
    const [x, y, z] = toDirection(pan, tilt);
    return [eye[0] + x * distance, eye[1] + y * distance, eye[2] + z * distance];
  }
}

const isHandle = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-corner]') !== null;
