import { action, makeObservable, observableRef, reaction, runInAction } from 'mobx';
import { toFailure } from '#core/web';
import {
  WebGlUnavailable,
  type CameraView,
  type PanoramaTransition,
  type PanoramaView,
  type TourNode,
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
  nodeOnScreen: TourNode | undefined;
  unreachableNode: TourNode | undefined;
  readonly #options: ViewerOptions<Reason>;
  readonly #store: TourStore;
  readonly #tools: TourTools;
  #loadAbort = new AbortController();
  #retry = (): void => undefined;
  /** Uid of the node on screen while the tour returns to it. */
  #returningTo: string | undefined;
  /** The last requested node, even if its picture was not loaded. */
  #lastNode: TourNode | undefined;

  constructor(options: ViewerOptions<Reason>, store: TourStore, tools: TourTools) {
    this.#options = options;
    this.#store = store;
    this.#tools = tools;
    makeObservable(this, {
      status: observableRef,
      contextLost: observableRef,
      partsMissing: observableRef,
      nodeOnScreen: observableRef,
      unreachableNode: observableRef,
      setNodeOnScreen: action,
      returnToNodeOnScreen: action,
      goToUnreachableNode: action,
      dismissUnreachableNode: action,
    });
  }

  get signal(): AbortSignal {
    return this.#loadAbort.signal;
  }

  setStatus(status: ViewerStatus<Reason>): void {
    runInAction(() => (this.status = status));
  }

  setPartsMissing(missing: boolean): void {
    runInAction(() => (this.partsMissing = missing));
  }

  beginTransition(node: TourNode): PanoramaTransition {
    const from = this.#lastNode;
    this.#lastNode = node;
    return this.#store.links.some((link) => link.from === from?.uid && link.to === node.uid) ? 'walk' : 'fade';
  }

  setNodeOnScreen(node: TourNode): void {
    this.nodeOnScreen = node;
    if (this.#returningTo !== node.uid) this.unreachableNode = undefined;
    this.#returningTo = undefined;
  }

  returnToNodeOnScreen(): boolean {
    const { nodeOnScreen } = this;
    const { currentNode, secondaryModule } = this.#store;
    if (!currentNode || !nodeOnScreen || nodeOnScreen.uid === currentNode.uid || secondaryModule !== undefined) {
      this.unreachableNode = undefined;
      this.#returningTo = undefined;
      return false;
    }
    this.#lastNode = undefined;
    this.#returningTo = nodeOnScreen.uid;
    this.unreachableNode = currentNode;
    this.#store.goTo(nodeOnScreen.uid);
    return true;
  }

  goToUnreachableNode(): void {
    const node = this.unreachableNode;
    this.unreachableNode = undefined;
    if (node) this.#store.goTo(node.uid);
  }

  dismissUnreachableNode(): void {
    this.unreachableNode = undefined;
  }

  start<Engine extends ViewerEngine>({ open, enter, discard, reload }: ViewerStart<Engine>): () => void {
    const cleanups: (() => void)[] = [];
    let isUnmounted = false;
    const handleOpened = (engine: Engine): void => {
      if (isUnmounted) return discard?.(engine);
      this.#setLost(engine.lost);
      cleanups.push(
        engine.on('contextLost', () => this.#setLost(true)),
        engine.on('contextRestored', () => this.#setLost(false)),
        ...enter(engine),
      );
      this.#retry = reload;
    };
    const handleFailure = (error: unknown): void => {
      if (!isUnmounted) this.#setFailed(error);
    };
    const openEngine = (): void => {
      this.setStatus({ state: 'loading' });
      try {
        const engine = open();
        if (engine instanceof Promise) engine.then(handleOpened).catch(handleFailure);
        else handleOpened(engine);
      } catch (error) {
        handleFailure(error);
      }
    };
    this.#retry = openEngine;
    openEngine();
    return () => {
      isUnmounted = true;
      this.#loadAbort.abort();
      this.#lastNode = undefined;
      this.#returningTo = undefined;
      runInAction(() => {
        this.nodeOnScreen = undefined;
        this.unreachableNode = undefined;
      });
      for (const cleanup of cleanups.toReversed()) cleanup();
    };
  }

  retry(): void {
    this.#retry();
  }

  async load(task: (signal: AbortSignal) => Promise<ViewerStatus<Reason> | undefined>): Promise<void> {
    this.#loadAbort.abort();
    const { signal } = (this.#loadAbort = new AbortController());
    try {
      const status = await runInAction(() => {
        this.status = { state: 'loading' };
        return task(signal);
      });
      if (status && !signal.aborted) this.setStatus(status);
    } catch (error) {
      if (!signal.aborted) this.#setFailed(error);
    }
  }

  follow(camera: ViewerCamera): () => void {
    const tools = this.#tools;
    const { module } = this.#options;
    camera.setView({ ...tools.view, ...(tools.position && !camera.viewpoint ? { position: tools.position } : {}) });
    // The view is omitted because it is already set. The loaded picture would otherwise undo a turn made in the
    // meantime.
    camera.moveToViewpoint?.(undefined);
    return reaction(
      () => ({
        viewpoint: camera.viewpoint?.(),
        view: hasView(tools.viewAuthor, module, camera) ? undefined : tools.view,
        position: camera.viewpoint || tools.positionAuthor === module ? undefined : tools.position,
        requestedView: tools.requestedView,
      }),
      ({ viewpoint, view, position, requestedView }, previous) => {
        const { turn, ...direction } = (requestedView === previous.requestedView ? undefined : requestedView) ?? {};
        const isNewViewpoint = camera.moveToViewpoint !== undefined && viewpoint !== previous.viewpoint;
        const requestedDirection = turn === undefined ? undefined : direction;
        if (isNewViewpoint) camera.moveToViewpoint?.(previous.viewpoint ? requestedDirection : tools.view);
        // Setting unchanged values would end a flight of the camera.
        const changes = {
          ...(view === previous.view ? {} : view),
          ...(position && position !== previous.position ? { position } : {}),
        };
        if (Object.keys(changes).length > 0) camera.setView(changes);
        if (isNewViewpoint || turn === undefined) return;
        if (turn) return camera.turnTo(direction);
        camera.setView(direction);
        this.report({ ...tools.view, ...direction });
      },
    );
  }

  report({ pan, tilt, fov, position }: PanoramaView & Partial<CameraView>): void {
    runInAction(() => {
      this.#tools.setView({ pan, tilt, fov }, this.#options.module);
      if (position && position !== this.#tools.position) this.#store.moveTo(position, this.#options.module);
    });
  }

  #setLost(lost: boolean): void {
    runInAction(() => (this.contextLost = lost));
  }

  #setFailed(error: unknown): void {
    const reason =
      error instanceof WebGlUnavailable ? 'noWebGl' : (this.#options.formatReason?.(error) ?? toFailure(error).kind);
    this.setStatus({ state: 'failed', reason });
  }
}

/**
 * True if the tour's view is not applied by `setView`: the camera reported it itself, or a camera with viewpoints gets
 * it from the tour by `moveToViewpoint`.
 */
const hasView = (author: string | undefined, module: string, camera: ViewerCamera): boolean =>
  author === module || (author === undefined && camera.viewpoint !== undefined);
