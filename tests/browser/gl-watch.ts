import type { Page } from '@playwright/test';

/** The view of a canvas's latest draw call, read from its uniforms. Angles are in degrees, `fov` is vertical. */
export interface DrawnView {
  /** Number of the canvas in creation order. */
  readonly canvas: number;
  /** Number of the frame since the page was loaded. */
  readonly frame: number;
  readonly pan: number;
  readonly tilt: number;
  readonly fov: number;
  /** Metres. In clouds in the site frame, in models relative to the model's origin, in panoramas undefined. */
  readonly eye: readonly [number, number, number] | undefined;
}

export type GlKind =
  | 'Texture'
  | 'Buffer'
  | 'Framebuffer'
  | 'Renderbuffer'
  | 'Program'
  | 'Shader'
  | 'VertexArray'
  | 'Sampler'
  | 'TransformFeedback'
  | 'Query'
  | 'Sync';

export interface GlWatch {
  /** Counts the live objects of all contexts that are not lost. */
  countObjects(): Readonly<Partial<Record<GlKind, number>>>;
  /** Counts the contexts that are not lost. */
  countContexts(): number;
  /** Returns the latest view of each canvas on the page, in creation order. */
  listViews(): readonly DrawnView[];
  /** Returns the canvas with this number, or null. */
  canvas(number: number): HTMLCanvasElement | null;
  /** Starts recording the drawn views. */
  record(): void;
  /** Returns the views since `record` was called. */
  listRecordedViews(): readonly DrawnView[];
  /** Resolves after `frames` successive frames without draw calls and network requests. */
  waitUntilQuiet(frames: number): Promise<void>;
  /** Loses the contexts of all canvases on the page and returns their number. */
  loseContexts(): number;
  /** Restores the lost contexts. */
  restore(): void;
}

declare global {
  interface Window {
    glWatch: GlWatch;
  }
}

/**
 * Adds `window.glWatch` to a page, or to all pages of a browser context. Call it before the page loads.
 */
export async function watchGl(page: Pick<Page, 'addInitScript'>): Promise<void> {
  await page.addInitScript(watch);
}

function watch(): void {
  interface WatchedContext {
    readonly number: number;
    /** A weak reference, so that the page's contexts can be garbage-collected. */
    readonly gl: WeakRef<WebGL2RenderingContext>;
    readonly live: Map<GlKind, Set<WeakRef<object>>>;
    readonly refs: WeakMap<object, readonly [GlKind, WeakRef<object>]>;
    readonly matrices: Map<string, Float32Array>;
    eye: readonly [number, number, number] | undefined;
    frame: number;
  }
  const contexts: WatchedContext[] = [];
  const byContext = new WeakMap<object, WatchedContext>();
  const names = new WeakMap<object, string>();
  let frame = 0;
  let lastFrameAt = -1;
  let lastDrawnFrame = 0;
  let runningFetches = 0;
  let record: DrawnView[] | undefined;
  const lostContexts: WEBGL_lose_context[] = [];

  const requestFrame = window.requestAnimationFrame.bind(window);
  const enterFrame = (now: number): void => {
    if (now === lastFrameAt) return;
    lastFrameAt = now;
    frame++;
  };
  window.requestAnimationFrame = (callback) =>
    requestFrame((now) => {
      enterFrame(now);
      callback(now);
    });
  const handleFrame = (now: number): void => {
    enterFrame(now);
    requestFrame(handleFrame);
  };
  requestFrame(handleFrame);

  const originalFetch = window.fetch.bind(window);
  window.fetch = async (...args) => {
    runningFetches++;
    try {
      return await originalFetch(...args);
    } finally {
      runningFetches--;
    }
  };

  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...options: unknown[]) {
    const context = Reflect.apply(getContext, this, [kind, ...options]) as object | null;
    if (context instanceof WebGL2RenderingContext && !byContext.has(context)) {
      const watchedContext: WatchedContext = {
        number: contexts.length,
        gl: new WeakRef(context),
        live: new Map(),
        refs: new WeakMap(),
        matrices: new Map(),
        eye: undefined,
        frame: 0,
      };
      byContext.set(context, watchedContext);
      contexts.push(watchedContext);
      this.addEventListener('webglcontextlost', () => {
        watchedContext.live.clear();
        watchedContext.matrices.clear();
      });
    }
    return context;
  } as typeof HTMLCanvasElement.prototype.getContext;

  const prototype = WebGL2RenderingContext.prototype as unknown as Record<
    string,
    (this: WebGL2RenderingContext, ...args: unknown[]) => unknown
  >;
  const wrap = (
    name: string,
    onCalled: (watched: WatchedContext, args: readonly unknown[], result: unknown) => void,
  ): void => {
    const original = prototype[name];
    if (!original) return;
    prototype[name] = function (...args) {
      const result = Reflect.apply(original, this, args);
      const watchedContext = byContext.get(this);
      if (watchedContext) onCalled(watchedContext, args, result);
      return result;
    };
  };
  const objectKinds: readonly GlKind[] = [
    'Texture',
    'Buffer',
    'Framebuffer',
    'Renderbuffer',
    'Program',
    'Shader',
    'VertexArray',
    'Sampler',
    'TransformFeedback',
    'Query',
  ];
  const createCreationHandler =
    (kind: GlKind) =>
    (watchedContext: WatchedContext, _: readonly unknown[], result: unknown): void => {
      if (typeof result !== 'object' || result === null || watchedContext.gl.deref()?.isContextLost() !== false) return;
      const ref = new WeakRef(result);
      watchedContext.refs.set(result, [kind, ref]);
      watchedContext.live.set(kind, (watchedContext.live.get(kind) ?? new Set()).add(ref));
    };
  const onDeleted = (watchedContext: WatchedContext, [thing]: readonly unknown[]): void => {
    if (typeof thing !== 'object' || thing === null) return;
    const [kind, ref] = watchedContext.refs.get(thing) ?? [];
    if (kind && ref) watchedContext.live.get(kind)?.delete(ref);
  };
  for (const kind of objectKinds) {
    wrap(`create${kind}`, createCreationHandler(kind));
    wrap(`delete${kind}`, onDeleted);
  }
  wrap('fenceSync', createCreationHandler('Sync'));
  wrap('deleteSync', onDeleted);
  wrap('getUniformLocation', (_, [, name], result) => {
    if (typeof result === 'object' && result !== null) names.set(result, String(name));
  });

  const toDegrees = (radians: number): number => (radians * 180) / Math.PI;
  const readDrawnView = (watchedContext: WatchedContext): DrawnView | undefined => {
    const { number, frame: drawnFrame, matrices } = watchedContext;
    const [view, projection] = [matrices.get('viewMatrix'), matrices.get('projectionMatrix')];
    const clip = matrices.get('clip') ?? matrices.get('toClip');
    // A row of a column-major matrix.
    const getRow = (m: Float32Array, at: number): readonly [number, number, number] => [
      m[at] ?? NaN,
      m[at + 4] ?? NaN,
      m[at + 8] ?? NaN,
    ];
    const length = (v: readonly [number, number, number]): number => Math.hypot(...v);
    let forward: readonly [number, number, number];
    let fov: number;
    let eye = watchedContext.eye;
    if (view && projection) {
      const back = getRow(view, 2);
      forward = [-back[0], -back[1], -back[2]];
      fov = 2 * toDegrees(Math.atan(1 / (projection[5] ?? NaN)));
      const rows = [getRow(view, 0), getRow(view, 1), back] as const;
      const translation = [view[12] ?? NaN, view[13] ?? NaN, view[14] ?? NaN] as const;
      const computeEye = (axis: 0 | 1 | 2): number =>
        -(rows[0][axis] * translation[0] + rows[1][axis] * translation[1] + rows[2][axis] * translation[2]);
      eye = [computeEye(0), computeEye(1), computeEye(2)];
    } else if (clip) {
      // Row 3 is the depth and row 1 the height in clip space.
      forward = getRow(clip, 3);
      fov = 2 * toDegrees(Math.atan(length(forward) / length(getRow(clip, 1))));
    } else return undefined;
    const [x, y, z] = forward;
    return {
      canvas: number,
      frame: drawnFrame,
      pan: (toDegrees(Math.atan2(x, y)) + 360) % 360,
      tilt: toDegrees(Math.atan2(z, Math.hypot(x, y))),
      fov,
      eye,
    };
  };
  wrap('uniformMatrix4fv', (watchedContext, [location, , values]) => {
    const name = typeof location === 'object' && location !== null ? names.get(location) : undefined;
    if (name === undefined || !(values instanceof Float32Array || Array.isArray(values))) return;
    watchedContext.matrices.set(name, Float32Array.from(values));
  });
  wrap('uniform3f', (watchedContext, [location, x, y, z]) => {
    if (
      typeof location === 'object' &&
      location !== null &&
      names.get(location) === 'eye' &&
      watchedContext.matrices.has('toClip')
    )
      watchedContext.eye = [Number(x), Number(y), Number(z)];
  });
  for (const name of ['clear', 'drawArrays', 'drawElements', 'drawElementsInstanced', 'drawArraysInstanced']) {
    wrap(name, (watchedContext) => {
      lastDrawnFrame = frame;
      watchedContext.frame = frame;
      if (!record || name === 'clear') return;
      const view = readDrawnView(watchedContext);
      const previous = record.findLast(({ canvas }) => canvas === watchedContext.number);
      if (view && !(previous?.frame === view.frame && previous.pan === view.pan && previous.tilt === view.tilt))
        record.push(view);
    });
  }

  const findCanvas = ({ gl }: WatchedContext): HTMLCanvasElement | undefined => {
    const canvas = gl.deref()?.canvas;
    return canvas instanceof HTMLCanvasElement ? canvas : undefined;
  };
  const listVisibleContexts = (): WatchedContext[] =>
    contexts.filter((watchedContext) => findCanvas(watchedContext)?.isConnected);
  const listLiveContexts = (): WatchedContext[] => contexts.filter(({ gl }) => gl.deref()?.isContextLost() === false);
  window.glWatch = {
    countObjects: () => {
      const sums: Partial<Record<GlKind, number>> = {};
      for (const { live } of listLiveContexts())
        for (const [kind, things] of live) sums[kind] = (sums[kind] ?? 0) + things.size;
      return sums;
    },
    countContexts: () => listLiveContexts().length,
    canvas: (number) => (contexts[number] && findCanvas(contexts[number])) ?? null,
    listViews: () => listVisibleContexts().flatMap((watchedContext) => readDrawnView(watchedContext) ?? []),
    record: () => (record = []),
    listRecordedViews: () => record ?? [],
    waitUntilQuiet: (frames) =>
      new Promise((resolve) => {
        let quietFrames = 0;
        const check = (): void => {
          quietFrames = lastDrawnFrame < frame - 1 && runningFetches === 0 ? quietFrames + 1 : 0;
          if (quietFrames >= frames) resolve();
          else requestFrame(check);
        };
        check();
      }),
    loseContexts: () => {
      const extensions = listVisibleContexts().flatMap(
        ({ gl }) => gl.deref()?.getExtension('WEBGL_lose_context') ?? [],
      );
      for (const extension of extensions) extension.loseContext();
      lostContexts.push(...extensions);
      return extensions.length;
    },
    restore: () => {
      for (const extension of lostContexts.splice(0)) extension.restoreContext();
    },
  };
}
