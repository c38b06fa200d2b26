import { plus, type Emitter, type Point3 } from '#core';
import type { PanoramaEngine, PanoramaEvents, PanoramaPicture, PanoramaTransition, PanoramaView } from '#plugins/tour';
import type { FrameEventEmitter } from './frame-event-emitter.ts';
import type { Comparison, FramePictures } from './draw-pictures.ts';
import type { Graphics } from './graphics.ts';
import { hasReducedMotion } from './reduced-motion.ts';
import {
  fadeMilliseconds,
  computeEyes,
  computeProgress,
  reducedMotionMilliseconds,
  computeWalkMilliseconds,
  type Transition,
} from './transition.ts';

/** Milliseconds that a walk waits for its range meshes before it becomes a fade. */
const meshTimeoutMs = 600;

export interface ShowOptions {
  readonly transition?: PanoramaTransition;
  readonly view?: Partial<PanoramaView>;
}

interface SceneContext {
  readonly engine: Pick<PanoramaEngine, 'setView' | 'turnTo'>;
  readonly events: Emitter<PanoramaEvents>;
  readonly frameEvents: FrameEventEmitter;
  /** Undefined before the engine is first attached. */
  readonly graphics: () => Graphics | undefined;
  readonly requestFrame: () => void;
}

/** Controls which pictures are on screen, and the transitions between them. */
export class SceneController implements FramePictures {
  current: PanoramaPicture | undefined;
  /** True if `current` is the last picture of a detached module, which is kept until the next picture is shown. */
  isKept = false;
  next: PanoramaPicture | undefined;
  comparison: Comparison | undefined;
  transition: Transition | undefined;
  readonly #context: SceneContext;
  #generation = 0;

  constructor(context: SceneContext) {
    this.#context = context;
  }

  get pictures(): readonly PanoramaPicture[] {
    return [this.current, this.next, this.comparison?.picture].filter((picture) => picture !== undefined);
  }

  /**
   * Returns true when the picture is on screen. Returns false if another picture was requested in the meantime, if the
   * picture could not be read, or before the engine is first attached.
   */
  async show(picture: PanoramaPicture, { transition = 'none', view }: ShowOptions): Promise<boolean> {
    const { engine, events, frameEvents, requestFrame } = this.#context;
    const generation = ++this.#generation;
    this.endTransition();
    const graphics = this.#context.graphics();
    const previous = this.current;
    if (!previous && view) engine.setView(view);
    if (previous) this.next = picture;
    else this.current = picture;
    if (!graphics) return false;
    if (graphics.lost) {
      this.#setCurrent(picture);
      this.next = undefined;
      if (view) engine.setView(view);
      frameEvents.resetPicture();
      return this.#waitUntilShown(picture);
    }
    requestFrame();
    const failure = await graphics.previews.load(picture).then(() => undefined, formatReason);
    if (generation !== this.#generation) return false;
    if (failure !== undefined) {
      this.next = undefined;
      events.emit('failed', { id: picture.tiles.id, reason: failure });
      return false;
    }
    const walk =
      previous && transition === 'walk' && !hasReducedMotion()
        ? await loadMeshes(graphics, previous, picture)
        : undefined;
    if (generation !== this.#generation) return false;
    return this.#startTransition(previous, picture, previous ? transition : 'none', walk, view);
  }

  /**
   * Returns true when the picture can be compared. Returns false for no picture, without a graphics context, if another
   * picture was requested in the meantime, or if the picture could not be read.
   */
  async compare(picture: PanoramaPicture | undefined, fraction: number): Promise<boolean> {
    const { events, requestFrame } = this.#context;
    const nextComparison = picture && { picture, fraction: Math.min(1, Math.max(0, fraction)) };
    const isSamePicture = this.comparison?.picture.tiles.id === picture?.tiles.id;
    this.comparison = nextComparison;
    requestFrame();
    const graphics = this.#context.graphics();
    if (!nextComparison || !graphics || graphics.lost) return false;
    if (isSamePicture && graphics.previews.findReady(nextComparison.picture)) return true;
    const { id } = nextComparison.picture.tiles;
    const failure = await graphics.previews.load(nextComparison.picture).then(() => undefined, formatReason);
    if (this.comparison?.picture.tiles.id !== id) return false;
    requestFrame();
    if (failure === undefined) return true;
    this.comparison = undefined;
    events.emit('failed', { id, reason: failure });
    return false;
  }

  /**
   * Computes the position of the eye, which moves during a walk. Undefined without a picture, and while a picture fades
   * into another one. `now` is the time of the frame in milliseconds.
   */
  computeEye(now: number): Point3 | undefined {
    const { transition } = this;
    if (!transition) return this.current?.position;
    if (!transition.walk) return undefined;
    const { from, to } = transition;
    return plus(
      from.position,
      computeEyes(from.position, to.position, computeProgress(transition, now).travelled).from,
    );
  }

  /** Ends the transition if it is finished. `now` is the time of the frame in milliseconds. */
  advance(now: number): void {
    if (this.transition && computeProgress(this.transition, now).isOver) this.endTransition();
  }

  endTransition(): void {
    const { transition } = this;
    if (!transition) return;
    this.transition = undefined;
    this.#setCurrent(transition.to);
    this.next = undefined;
    transition.onEnd(true);
  }

  /** Reloads the pictures after the context was restored. */
  reload(): void {
    const { events, requestFrame } = this.#context;
    for (const picture of this.pictures) {
      this.#context
        .graphics()
        ?.previews.load(picture)
        .then(requestFrame, (error: unknown) =>
          events.emit('failed', { id: picture.tiles.id, reason: formatReason(error) }),
        );
    }
  }

  /** Ends everything except the current picture, which is kept. */
  stop(): void {
    this.#generation++;
    this.endTransition();
    this.isKept = this.current !== undefined;
    this.next = undefined;
    this.comparison = undefined;
  }

  clear(): void {
    this.stop();
    this.current = undefined;
    this.isKept = false;
  }

  #setCurrent(picture: PanoramaPicture): void {
    this.current = picture;
    if (!this.isKept) return;
    this.isKept = false;
    // For the kept picture, `shown` may already have been emitted.
    this.#context.frameEvents.resetPicture();
  }

  #startTransition(
    from: PanoramaPicture | undefined,
    to: PanoramaPicture,
    kind: PanoramaTransition,
    walk: Transition['walk'],
    view: Partial<PanoramaView> | undefined,
  ): Promise<boolean> {
    const { engine, frameEvents, requestFrame } = this.#context;
    const fullMilliseconds = walk && from ? computeWalkMilliseconds(from.position, to.position) : fadeMilliseconds;
    const milliseconds = hasReducedMotion() ? reducedMotionMilliseconds : fullMilliseconds;
    if (!from || kind === 'none') {
      this.#setCurrent(to);
      this.next = undefined;
      if (from && view) engine.setView(view);
      requestFrame();
      return frameEvents.shownId === to.tiles.id ? Promise.resolve(true) : this.#waitUntilShown(to);
    }
    if (view) void engine.turnTo(view, milliseconds);
    return new Promise((resolve) => {
      this.transition = { from, to, walk, start: performance.now(), milliseconds, onEnd: resolve };
      requestFrame();
    });
  }

  /** Resolves with true when the picture is shown, and with false if another picture is shown or loading failed. */
  #waitUntilShown({ tiles }: PanoramaPicture): Promise<boolean> {
    const { events } = this.#context;
    return new Promise((resolve) => {
      const handleEvent = ({ id, reason }: { readonly id: string; readonly reason?: string }): void => {
        for (const dispose of disposers) dispose();
        resolve(id === tiles.id && reason === undefined);
      };
      const disposers = [events.on('shown', handleEvent), events.on('failed', handleEvent)];
    });
  }
}

/** Loads the range meshes of a walk. Undefined if they are not loaded in time. */
async function loadMeshes(graphics: Graphics, from: PanoramaPicture, to: PanoramaPicture): Promise<Transition['walk']> {
  const timeout = new Promise<undefined>((resolve) => void setTimeout(() => resolve(undefined), meshTimeoutMs));
  const meshes = await Promise.race([
    Promise.all([graphics.previews.loadMesh(from), graphics.previews.loadMesh(to)]),
    timeout,
  ]);
  return meshes?.[0] && meshes[1] ? { from: meshes[0], to: meshes[1] } : undefined;
}

function formatReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
