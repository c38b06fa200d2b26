import { makeObservable, observableRef, reaction, runInAction } from 'mobx';
import { toFailure } from '#core/web';
import {
  WebGlUnavailable,
  type EyeView,
  type PanoramaView,
  type TourStore,
  type TourTools,
  type Viewer,
  type ViewerCamera,
  type ViewerEngine,
  type ViewerOptions,
  type ViewerStart,
  type ViewerStatus,
} from '#plugins/tour';

export class MobxViewer<Reason extends string> implements Viewer<Reason> {
  status: ViewerStatus<Reason> = { state: 'loading' };
  contextLost = false;
  partsMissing = false;
  readonly #options: ViewerOptions<Reason>;
  readonly #store: TourStore;
  readonly #tools: TourTools;
  #loading = new AbortController();
  #retry = (): void => undefined;

  constructor(options: ViewerOptions<Reason>, store: TourStore, tools: TourTools) {
    this.#options = options;
    this.#store = store;
    this.#tools = tools;
    makeObservable(this, { status: observableRef, contextLost: observableRef, partsMissing: observableRef });
  }

  get signal(): AbortSignal {
    return this.#loading.signal;
  }

  setStatus(status: ViewerStatus<Reason>): void {
    runInAction(() => (this.status = status));
  }

  setPartsMissing(missing: boolean): void {
    runInAction(() => (this.partsMissing = missing));
  }

  start<Engine extends ViewerEngine>({ open, enter, discard, reload }: ViewerStart<Engine>): () => void {
    const ends: (() => void)[] = [];
    let ended = false;
    const opened = (engine: Engine): void => {
      if (ended) return discard?.(engine);
      this.#setLost(engine.lost);
      ends.push(
        engine.on('contextLost', () => this.#setLost(true)),
        engine.on('contextRestored', () => this.#setLost(false)),
        ...enter(engine),
      );
      this.#retry = reload;
    };
    const failed = (error: unknown): void => {
      if (!ended) this.#fail(error);
    };
    const begin = (): void => {
      this.setStatus({ state: 'loading' });
      try {
        const engine = open();
        if (engine instanceof Promise) engine.then(opened).catch(failed);
        else opened(engine);
      } catch (error) {
        failed(error);
      }
    };
    this.#retry = begin;
    begin();
    return () => {
      ended = true;
      this.#loading.abort();
      for (const end of ends.toReversed()) end();
    };
  }

  retry(): void {
    this.#retry();
  }

  async load(task: (signal: AbortSignal) => Promise<ViewerStatus<Reason> | undefined>): Promise<void> {
    this.#loading.abort();
    const { signal } = (this.#loading = new AbortController());
    try {
      const status = await runInAction(() => {
        this.status = { state: 'loading' };
        return task(signal);
      });
      if (status && !signal.aborted) this.setStatus(status);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  follow(camera: ViewerCamera): () => void {
    const tools = this.#tools;
    const { module } = this.#options;
    camera.setView({ ...tools.view, ...(tools.position && !camera.place ? { position: tools.position } : {}) });
    camera.goTo?.(tools.view);
    return reaction(
      () => ({
        place: camera.place?.(),
        view: isOwn(tools.viewAuthor, module, camera) ? undefined : tools.view,
        position: camera.place || tools.positionAuthor === module ? undefined : tools.position,
        requestedView: tools.requestedView,
      }),
      ({ place, view, position, requestedView }, before) => {
        const { turn, ...direction } = (requestedView === before.requestedView ? undefined : requestedView) ?? {};
        const goes = camera.goTo !== undefined && place !== before.place;
        if (goes) camera.goTo?.(before.place ? (turn === undefined ? undefined : direction) : tools.view);
        // Setting unchanged values would end a glide.
        const moved = {
          ...(view === before.view ? {} : view),
          ...(position && position !== before.position ? { position } : {}),
        };
        if (Object.keys(moved).length > 0) camera.setView(moved);
        if (goes || turn === undefined) return;
        if (turn) return camera.turnTo(direction);
        camera.setView(direction);
        this.report({ ...tools.view, ...direction });
      },
    );
  }

  report({ pan, tilt, fov, position }: PanoramaView & Partial<EyeView>): void {
    runInAction(() => {
      this.#tools.setView({ pan, tilt, fov }, this.#options.module);
      if (position && position !== this.#tools.position) this.#store.moveTo(position, this.#options.module);
    });
  }

  #setLost(lost: boolean): void {
    runInAction(() => (this.contextLost = lost));
  }

  #fail(error: unknown): void {
    const reason =
      error instanceof WebGlUnavailable ? 'noWebGl' : (this.#options.formatReason?.(error) ?? toFailure(error).kind);
    this.setStatus({ state: 'failed', reason });
  }
}

/** A camera with places gets a view of the tour itself together with the place. */
const isOwn = (author: string | undefined, module: string, camera: ViewerCamera): boolean =>
  author === module || (author === undefined && camera.place !== undefined);
