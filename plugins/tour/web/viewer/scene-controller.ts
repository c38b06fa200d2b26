import type { Emitter } from '#core';
import type { PanoramaEngine, PanoramaEvents, PanoramaPicture, PanoramaTransition, PanoramaView } from '#plugins/tour';
import type { Announcer } from './announcer.ts';
import type { Comparison, PicturesToDraw } from './draw-pictures.ts';
import type { Graphics } from './graphics.ts';
import { reducedMotion } from './reduced-motion.ts';
import {
  fadeMilliseconds,
  computeProgress,
  reducedMilliseconds,
  walkMilliseconds,
  type Transition,
} from './transition.ts';

/** Milliseconds that a walk waits for its range meshes before it becomes a fade. */
const meshTimeoutMs = 600;

export interface ShowOptions {
  readonly transition?: PanoramaTransition;
  readonly view?: Partial<PanoramaView>;
}

interface SceneParts {
  readonly engine: Pick<PanoramaEngine, 'setView' | 'turnTo'>;
  readonly events: Emitter<PanoramaEvents>;
  readonly announcer: Announcer;
  /** Undefined before the engine is first attached. */
  readonly graphics: () => Graphics | undefined;
  /** Requests a frame. */
  readonly draw: () => void;
}

/** Controls which pictures are on screen, and the transitions between them. */
export class SceneController implements PicturesToDraw {
  current: PanoramaPicture | undefined;
  next: PanoramaPicture | undefined;
  compared: Comparison | undefined;
  transition: Transition | undefined;
  readonly #parts: SceneParts;
  #shows = 0;

  constructor(parts: SceneParts) {
    this.#parts = parts;
  }

  get pictures(): readonly PanoramaPicture[] {
    return [this.current, this.next, this.compared?.picture].filter((picture) => picture !== undefined);
  }

  /** False if another picture was shown first, or if it could not be read. */
  async show(picture: PanoramaPicture, { transition = 'none', view }: ShowOptions): Promise<boolean> {
    const { engine, events, announcer, draw } = this.#parts;
    const turn = ++this.#shows;
    this.endTransition();
    const graphics = this.#parts.graphics();
    const before = this.current;
    if (!before && view) engine.setView(view);
    if (before) this.next = picture;
    else this.current = picture;
    if (!graphics) return false;
    if (graphics.lost) {
      this.current = picture;
      this.next = undefined;
      if (view) engine.setView(view);
      announcer.forgetPicture();
      return this.#whenShown(picture);
    }
    draw();
    const failure = await graphics.previews.load(picture).then(() => undefined, formatReason);
    if (turn !== this.#shows) return false;
    if (failure !== undefined) {
      this.next = undefined;
      events.emit('failed', { id: picture.tiles.id, reason: failure });
      return false;
    }
    const walk =
      before && transition === 'walk' && !reducedMotion() ? await loadMeshes(graphics, before, picture) : undefined;
    if (turn !== this.#shows) return false;
    return this.#startTransition(before, picture, before ? transition : 'none', walk, view);
  }

  /** `share` of the width, from the left. False if another picture was requested, or if it could not be read. */
  async compare(picture: PanoramaPicture | undefined, share: number): Promise<boolean> {
    const { events, draw } = this.#parts;
    const comparison = picture && { picture, share: Math.min(1, Math.max(0, share)) };
    const same = this.compared?.picture.tiles.id === picture?.tiles.id;
    this.compared = comparison;
    draw();
    const graphics = this.#parts.graphics();
    if (!comparison || !graphics || graphics.lost) return false;
    if (same && graphics.previews.ready(comparison.picture)) return true;
    const { id } = comparison.picture.tiles;
    const failure = await graphics.previews.load(comparison.picture).then(() => undefined, formatReason);
    if (this.compared?.picture.tiles.id !== id) return false;
    draw();
    if (failure === undefined) return true;
    this.compared = undefined;
    events.emit('failed', { id, reason: failure });
    return false;
  }

  /** Ends a finished transition. `now`: time of the frame, milliseconds. */
  advance(now: number): void {
    if (this.transition && computeProgress(this.transition, now).over) this.endTransition();
  }

  endTransition(): void {
    const { transition } = this;
    if (!transition) return;
    this.transition = undefined;
    this.current = transition.to;
    this.next = undefined;
    transition.done(true);
  }

  /** Reloads the pictures after the context was restored. */
  loadAgain(): void {
    const { events, draw } = this.#parts;
    for (const picture of this.pictures) {
      this.#parts
        .graphics()
        ?.previews.load(picture)
        .then(draw, (error: unknown) => events.emit('failed', { id: picture.tiles.id, reason: formatReason(error) }));
    }
  }

  clear(): void {
    this.#shows++;
    this.endTransition();
    this.current = undefined;
    this.next = undefined;
    this.compared = undefined;
  }

  #startTransition(
    from: PanoramaPicture | undefined,
    to: PanoramaPicture,
    kind: PanoramaTransition,
    walk: Transition['walk'],
    view: Partial<PanoramaView> | undefined,
  ): Promise<boolean> {
    const { engine, announcer, draw } = this.#parts;
    const milliseconds = reducedMotion()
      ? reducedMilliseconds
      : walk && from
        ? walkMilliseconds(from.position, to.position)
        : fadeMilliseconds;
    if (!from || kind === 'none') {
      this.current = to;
      this.next = undefined;
      if (from && view) engine.setView(view);
      draw();
      return announcer.shown === to.tiles.id ? Promise.resolve(true) : this.#whenShown(to);
    }
    if (view) void engine.turnTo(view, milliseconds);
    return new Promise((done) => {
      this.transition = { from, to, walk, start: performance.now(), milliseconds, done };
      draw();
    });
  }

  /** False if another picture was shown first, or if it could not be read after the context was restored. */
  #whenShown({ tiles }: PanoramaPicture): Promise<boolean> {
    const { events } = this.#parts;
    return new Promise((resolve) => {
      const handleEvent = ({ id, reason }: { readonly id: string; readonly reason?: string }): void => {
        for (const end of ends) end();
        resolve(id === tiles.id && reason === undefined);
      };
      const ends = [events.on('shown', handleEvent), events.on('failed', handleEvent)];
    });
  }
}

/** Undefined if they are not loaded in time. */
async function loadMeshes(graphics: Graphics, from: PanoramaPicture, to: PanoramaPicture): Promise<Transition['walk']> {
  const late = new Promise<undefined>((resolve) => void setTimeout(() => resolve(undefined), meshTimeoutMs));
  const meshes = await Promise.race([
    Promise.all([graphics.previews.loadMesh(from), graphics.previews.loadMesh(to)]),
    late,
  ]);
  return meshes?.[0] && meshes[1] ? { from: meshes[0], to: meshes[1] } : undefined;
}

function formatReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
