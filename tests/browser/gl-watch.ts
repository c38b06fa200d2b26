import type { Page } from '@playwright/test';

/** The view of a canvas's latest draw call, read from its uniforms. Degrees, `fov` vertical; eye in metres. */
export interface DrawnView {
  /** Number of the canvas in creation order. */
  readonly canvas: number;
  /** Number of the frame since the page was loaded. */
  readonly frame: number;
  readonly pan: number;
  readonly tilt: number;
  readonly fov: number;
  /** Clouds: in the site frame. Models: minus whole metres (the model's origin). Panoramas: undefined. */
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
  /** Live objects of all contexts that are not lost. */
  counts(): Readonly<Partial<Record<GlKind, number>>>;
  /** Number of contexts that are not lost. */
  contexts(): number;
  /** The latest view of each canvas on the page, in creation order. */
  views(): readonly DrawnView[];
  /** The canvas with this number, or null. */
  canvas(number: number): HTMLCanvasElement | null;
  /** Starts recording the drawn views for `recorded`. */
  record(): void;
  recorded(): readonly DrawnView[];
  /** Resolves after `frames` successive frames without draw calls and network requests. */
  quiet(frames: number): Promise<void>;
  /** Loses the contexts of all canvases on the page and returns their number. `restore` brings them back. */
  loseContexts(): number;
  restore(): void;
}

declare global {
  interface Window {
    glWatch: GlWatch;
  }
}

/**
 * Counts the WebGL objects of each page of a browser context and reads the drawn views. Call it before the page loads.
 */
export async function watchGl(page: Pick<Page, 'addInitScript'>): Promise<void> {
  await page.addInitScript(watch);
}

function watch(): void {
  interface Watched {
    readonly number: number;
    /** A weak reference, so that the page's contexts can be garbage-collected. */
    readonly gl: WeakRef<WebGL2RenderingContext>;
    readonly live: Map<GlKind, Set<WeakRef<object>>>;
    readonly refs: WeakMap<object, readonly [GlKind, WeakRef<object>]>;
    readonly matrices: Map<string, Float32Array>;
    eye: readonly [number, number, number] | undefined;
    frame: number;
  }
  const contexts: Watched[] = [];
  const byContext = new WeakMap<object, Watched>();
  const names = new WeakMap<object, string>();
  let frame = 0;
  let lastFrameAt = -1;
  let lastDrawnFrame = 0;
  let fetching = 0;
  let record: DrawnView[] | undefined;
  const pending: WEBGL_lose_context[] = [];

  const request = window.requestAnimationFrame.bind(window);
  const enter = (now: number): void => {
    if (now === lastFrameAt) return;
    lastFrameAt = now;
    frame++;
  };
  window.requestAnimationFrame = (callback) =>
    request((now) => {
      enter(now);
      callback(now);
    });
  const count = (now: number): void => {
    enter(now);
    request(count);
  };
  request(count);

  const originalFetch = window.fetch.bind(window);
  window.fetch = async (...args) => {
    fetching++;
    try {
      return await originalFetch(...args);
    } finally {
      fetching--;
    }
  };

  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...options: unknown[]) {
    const context = Reflect.apply(getContext, this, [kind, ...options]) as object | null;
    if (context instanceof WebGL2RenderingContext && !byContext.has(context)) {
      const made: Watched = {
        number: contexts.length,
        gl: new WeakRef(context),
        live: new Map(),
        refs: new WeakMap(),
        matrices: new Map(),
        eye: undefined,
        frame: 0,
      };
      byContext.set(context, made);
      contexts.push(made);
      this.addEventListener('webglcontextlost', () => {
        made.live.clear();
        made.matrices.clear();
      });
    }
    return context;
  } as typeof HTMLCanvasElement.prototype.getContext;

  const prototype = WebGL2RenderingContext.prototype as unknown as Record<
    string,
    (this: WebGL2RenderingContext, ...args: unknown[]) => unknown
  >;
  const wrap = (name: string, after: (watched: Watched, args: readonly unknown[], result: unknown) => void): void => {
    const original = prototype[name];
    if (!original) return;
    prototype[name] = function (...args) {
      const result = Reflect.apply(original, this, args);
      const watched = byContext.get(this);
      if (watched) after(watched, args, result);
      return result;
    };
  };
  const kinds: readonly GlKind[] = [
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
  const made =
    (kind: GlKind) =>
    (watched: Watched, _: readonly unknown[], result: unknown): void => {
      if (typeof result !== 'object' || result === null || watched.gl.deref()?.isContextLost() !== false) return;
      const ref = new WeakRef(result);
      watched.refs.set(result, [kind, ref]);
      watched.live.set(kind, (watched.live.get(kind) ?? new Set()).add(ref));
    };
  const deleted = (watched: Watched, [thing]: readonly unknown[]): void => {
    if (typeof thing !== 'object' || thing === null) return;
    const [kind, ref] = watched.refs.get(thing) ?? [];
    if (kind && ref) watched.live.get(kind)?.delete(ref);
  };
  for (const kind of kinds) {
    wrap(`create${kind}`, made(kind));
    wrap(`delete${kind}`, deleted);
  }
  wrap('fenceSync', made('Sync'));
  wrap('deleteSync', deleted);
  wrap('getUniformLocation', (_, [, name], result) => {
    if (typeof result === 'object' && result !== null) names.set(result, String(name));
  });

  const degrees = (radians: number): number => (radians * 180) / Math.PI;
  const readDrawnView = (watched: Watched): DrawnView | undefined => {
    const { number, frame: drawnFrame, matrices } = watched;
    const [view, projection] = [matrices.get('viewMatrix'), matrices.get('projectionMatrix')];
    const clip = matrices.get('clip') ?? matrices.get('toClip');
    // Rows of the column-major matrix: height and depth.
    const row = (m: Float32Array, at: number): readonly [number, number, number] => [
      m[at] ?? NaN,
      m[at + 4] ?? NaN,
      m[at + 8] ?? NaN,
    ];
    const length = (v: readonly [number, number, number]): number => Math.hypot(...v);
    let forward: readonly [number, number, number];
    let fov: number;
    let eye = watched.eye;
    if (view && projection) {
      const back = row(view, 2);
      forward = [-back[0], -back[1], -back[2]];
      fov = 2 * degrees(Math.atan(1 / (projection[5] ?? NaN)));
      const rows = [row(view, 0), row(view, 1), back] as const;
      const moved = [view[12] ?? NaN, view[13] ?? NaN, view[14] ?? NaN] as const;
      const along = (axis: 0 | 1 | 2): number =>
        -(rows[0][axis] * moved[0] + rows[1][axis] * moved[1] + rows[2][axis] * moved[2]);
      eye = [along(0), along(1), along(2)];
    } else if (clip) {
      forward = row(clip, 3);
      fov = 2 * degrees(Math.atan(length(forward) / length(row(clip, 1))));
    } else return undefined;
    const [x, y, z] = forward;
    return {
      canvas: number,
      frame: drawnFrame,
      pan: (degrees(Math.atan2(x, y)) + 360) % 360,
      tilt: degrees(Math.atan2(z, Math.hypot(x, y))),
      fov,
      eye,
    };
  };
  wrap('uniformMatrix4fv', (watched, [location, , values]) => {
    const name = typeof location === 'object' && location !== null ? names.get(location) : undefined;
    if (name === undefined || !(values instanceof Float32Array || Array.isArray(values))) return;
    watched.matrices.set(name, Float32Array.from(values));
  });
  wrap('uniform3f', (watched, [location, x, y, z]) => {
    if (
      typeof location === 'object' &&
      location !== null &&
      names.get(location) === 'eye' &&
      watched.matrices.has('toClip')
    )
      watched.eye = [Number(x), Number(y), Number(z)];
  });
  for (const name of ['clear', 'drawArrays', 'drawElements', 'drawElementsInstanced', 'drawArraysInstanced']) {
    wrap(name, (watched) => {
      lastDrawnFrame = frame;
      watched.frame = frame;
      if (!record || name === 'clear') return;
      const view = readDrawnView(watched);
      const before = record.findLast(({ canvas }) => canvas === watched.number);
      if (view && !(before?.frame === view.frame && before.pan === view.pan && before.tilt === view.tilt))
        record.push(view);
    });
  }

  const findCanvas = ({ gl }: Watched): HTMLCanvasElement | undefined => {
    const canvas = gl.deref()?.canvas;
    return canvas instanceof HTMLCanvasElement ? canvas : undefined;
  };
  const shown = (): Watched[] => contexts.filter((watched) => findCanvas(watched)?.isConnected);
  const alive = (): Watched[] => contexts.filter(({ gl }) => gl.deref()?.isContextLost() === false);
  window.glWatch = {
    counts: () => {
      const sums: Partial<Record<GlKind, number>> = {};
      for (const { live } of alive()) for (const [kind, things] of live) sums[kind] = (sums[kind] ?? 0) + things.size;
      return sums;
    },
    contexts: () => alive().length,
    canvas: (number) => (contexts[number] && findCanvas(contexts[number])) ?? null,
    views: () => shown().flatMap((watched) => readDrawnView(watched) ?? []),
    record: () => (record = []),
    recorded: () => record ?? [],
    quiet: (frames) =>
      new Promise((resolve) => {
        let still = 0;
        const check = (): void => {
          still = lastDrawnFrame < frame - 1 && fetching === 0 ? still + 1 : 0;
          if (still >= frames) resolve();
          else request(check);
        };
        check();
      }),
    loseContexts: () => {
      const lost = shown().flatMap(({ gl }) => gl.deref()?.getExtension('WEBGL_lose_context') ?? []);
      for (const extension of lost) extension.loseContext();
      pending.push(...lost);
      return lost.length;
    },
    restore: () => {
      for (const extension of pending.splice(0)) extension.restoreContext();
    },
  };
}
