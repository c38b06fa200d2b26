import { toDirection, type Point3 } from '#core';
import type { HttpClient } from '#core/web';
import type { PanoramaEngine, TourNode, TourStore } from '#plugins/tour';
import type { findSurface } from '#plugins/tour/api';
import type { MarkerDraft } from '../stores/marker-draft.ts';

/** Pixels. A longer movement turns the view instead. */
const clickReach = 6;
/** Degrees per arrow key press. */
const nudge = 0.25;

export interface MarkerInputParts {
  readonly http: HttpClient;
  readonly store: TourStore;
  readonly engine: () => PanoramaEngine | undefined;
  readonly draft: () => MarkerDraft | undefined;
  /** The node whose picture is on screen. */
  readonly shownNode: () => TourNode | undefined;
  /** Capture time of the earlier picture at a pixel of the host; undefined for the current one. */
  readonly earlierAt: (x: number) => string | undefined;
}

/** Adds points to the draft by clicks on the picture, by touch, and by Enter for the centre. */
export class MarkerInput {
  readonly #parts: MarkerInputParts;
  #host: HTMLElement | undefined;

  constructor(parts: MarkerInputParts) {
    this.#parts = parts;
  }

  listen(host: HTMLElement): () => void {
    this.#host = host;
    const ends = new AbortController();
    const options = { capture: true, signal: ends.signal } as const;
    let pressed: { readonly x: number; readonly y: number } | undefined;
    host.addEventListener(
      'pointerdown',
      ({ clientX: x, clientY: y, isPrimary }) => (pressed = isPrimary ? { x, y } : undefined),
      options,
    );
    host.addEventListener(
      'click',
      (event) => {
        if (!this.#placing || isHandle(event.target)) return;
        // Do not activate elements below, such as hotspots.
        event.preventDefault();
        event.stopPropagation();
        if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) <= clickReach)
          void this.#place(this.#at(event));
      },
      options,
    );
    host.addEventListener('keydown', (event) => this.#onKey(event), options);
    return () => {
      ends.abort();
      this.#host = undefined;
    };
  }

  /** Attaches pointer and keys to a corner's button. */
  readonly attachInput = (button: HTMLButtonElement, index: number): void => {
    button.dataset['corner'] = String(index);
    let before: readonly Point3[] | undefined;
    button.addEventListener('pointerdown', (event) => {
      if (!this.#placing || event.button !== 0) return;
      event.stopPropagation();
      button.setPointerCapture(event.pointerId);
      before = this.#parts.draft()?.points;
    });
    button.addEventListener('pointermove', (event) => {
      if (before && button.hasPointerCapture(event.pointerId)) this.#drag(index, this.#at(event));
    });
    const drop = (event: PointerEvent): void => {
      const from = before;
      before = undefined;
      if (from && from !== this.#parts.draft()?.points) void this.#drop(index, this.#at(event), from);
    };
    button.addEventListener('pointerup', drop);
    button.addEventListener('pointercancel', drop);
    button.addEventListener('keydown', (event) => this.#onCornerKey(event, index));
  };

  get #placing(): boolean {
    return this.#parts.draft()?.placing === true;
  }

  #at({ clientX, clientY }: MouseEvent): { readonly x: number; readonly y: number } {
    const box = this.#host?.getBoundingClientRect();
    return { x: clientX - (box?.left ?? 0), y: clientY - (box?.top ?? 0) };
  }

  #onKey(event: KeyboardEvent): void {
    const draft = this.#parts.draft();
    const host = this.#host;
    if (!draft?.placing || !host || isHandle(event.target)) return;
    const undoes = event.key === 'Backspace' || (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey));
    if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement))
      void this.#place({ x: host.clientWidth / 2, y: host.clientHeight / 2 });
    else if (undoes) draft.undo();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #onCornerKey(event: KeyboardEvent, index: number): void {
    const draft = this.#parts.draft();
    const engine = this.#parts.engine();
    const point = draft?.points[index];
    const turn = (
      { ArrowLeft: [-nudge, 0], ArrowRight: [nudge, 0], ArrowUp: [0, nudge], ArrowDown: [0, -nudge] } as Readonly<
        Record<string, readonly [number, number]>
      >
    )[event.key];
    if (!draft?.placing || !engine || !point) return;
    if (event.key === 'Delete') draft.removeCorner(index);
    else if (turn) {
      const { pan, tilt, distance } = this.#seen(point);
      draft.move(index, this.#along(pan + turn[0], tilt + turn[1], distance));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  async #place(at: { readonly x: number; readonly y: number }): Promise<void> {
    const draft = this.#parts.draft();
    if (!draft || draft.lookingUp) return;
    draft.look();
    const found = await this.#surfaceAt(at);
    if (draft !== this.#parts.draft() || !draft.placing) return;
    if (found === 'failed') draft.refuse('failed');
    else if (found) draft.add(found);
    else draft.refuse('nothingThere');
  }

  /** Keeps the corner's distance during the drag. */
  #drag(index: number, at: { readonly x: number; readonly y: number }): void {
    const draft = this.#parts.draft();
    const direction = this.#parts.engine()?.directionAt(at.x, at.y);
    const point = draft?.points[index];
    if (draft && direction && point)
      draft.preview(index, this.#along(direction.pan, direction.tilt, this.#seen(point).distance));
  }

  async #drop(index: number, at: { readonly x: number; readonly y: number }, from: readonly Point3[]): Promise<void> {
    const draft = this.#parts.draft();
    if (!draft) return;
    const dropped = draft.points[index];
    const found = await this.#surfaceAt(at);
    if (dropped && draft === this.#parts.draft())
      draft.move(index, typeof found === 'object' && found ? found : dropped, from);
  }

  async #surfaceAt({ x, y }: { readonly x: number; readonly y: number }): Promise<Point3 | null | 'failed'> {
    const { http, store, engine, shownNode, earlierAt } = this.#parts;
    const direction = engine()?.directionAt(x, y);
    const node = shownNode();
    const location = store.opened?.tour.location;
    if (!direction || !node || location === undefined) return 'failed';
    const capturedAt = earlierAt(x);
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

  #eye(): Point3 {
    return this.#parts.shownNode()?.position ?? [0, 0, 0];
  }

  #seen([x, y, z]: Point3): { readonly pan: number; readonly tilt: number; readonly distance: number } {
    const eye = this.#eye();
    const ray: Point3 = [x - eye[0], y - eye[1], z - eye[2]];
    const distance = Math.hypot(...ray);
    return {
      pan: (Math.atan2(ray[0], ray[1]) * 180) / Math.PI,
      tilt: distance === 0 ? 0 : (Math.asin(ray[2] / distance) * 180) / Math.PI,
      distance,
    };
  }

  #along(pan: number, tilt: number, distance: number): Point3 {
    const eye = this.#eye();
    const [x, y, z] = toDirection(pan, tilt);
    return [eye[0] + x * distance, eye[1] + y * distance, eye[2] + z * distance];
  }
}

const isHandle = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-corner]') !== null;
