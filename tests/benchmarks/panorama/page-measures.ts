/** The interface of each measured page. */
export interface BenchPage {
  /** Turns to a direction in degrees clockwise at tilt 0. */
  look(pan: number): void;
  addPins(pins: readonly { readonly id: string; readonly pan: number; readonly tilt: number }[]): void;
  /** Shows another image, waits until it is sharp, and returns the texture bytes. Only our engine has it. */
  goTo?(node: string): Promise<number>;
}

export interface PageMeasures {
  /** Milliseconds from the start of the navigation to the first image. 0 until then. */
  previewMs: number;
  /** Milliseconds from the start of the navigation to the sharp image. 0 until then. */
  sharpMs: number;
  /** Bytes loaded before the first image, including page and scripts. */
  previewBytes: number;
  /** Frames and draw calls since `restart`. */
  frames: number;
  draws: number;
}

declare global {
  interface Window {
    readonly bench: BenchPage;
    readonly measures: PageMeasures & { restart(): void };
  }
}

/**
 * Counts draw calls and samples 25 canvas pixels after each frame. Runs in each page before its scripts. The image is
 * visible when 13 pixels are not black. It is sharp when all are coloured, because coarse levels are grey.
 */
export function measurePage(): void {
  const measures = {
    previewMs: 0,
    sharpMs: 0,
    previewBytes: 0,
    frames: 0,
    draws: 0,
    restart: () => Object.assign(measures, { frames: 0, draws: 0 }),
  };
  Object.assign(window, { measures });
  let context: WebGLRenderingContext | undefined;
  let hasDrawn = false;
  const countCalls = (owner: object, names: readonly string[]): void => {
    for (const name of names) {
      const original: unknown = Reflect.get(owner, name);
      if (typeof original !== 'function') continue;
      Reflect.set(owner, name, (...values: unknown[]) => {
        measures.draws++;
        hasDrawn = true;
        return Reflect.apply(original, owner, values) as unknown;
      });
    }
  };

  const getContext = HTMLCanvasElement.prototype.getContext as (
    this: HTMLCanvasElement,
    kind: string,
    options?: object,
  ) => RenderingContext | null;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, options?: object) {
    if (!kind.includes('webgl')) return getContext.call(this, kind, options);
    const createdContext = getContext.call(this, kind, {
      ...options,
      preserveDrawingBuffer: true,
    }) as WebGLRenderingContext | null;
    if (createdContext && createdContext !== context) {
      context = createdContext;
      countCalls(createdContext, [
        'drawElements',
        'drawArrays',
        'drawElementsInstanced',
        'drawArraysInstanced',
        'drawRangeElements',
      ]);
    }
    return createdContext;
  } as typeof HTMLCanvasElement.prototype.getContext;

  const nextFrame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) =>
    nextFrame((time) => {
      hasDrawn = false;
      callback(time);
      if (hasDrawn) measures.frames++;
    });

  const checkPixels = (): void => {
    if (context && !context.isContextLost()) {
      const pixel = new Uint8Array(4);
      let visible = 0;
      let colouredCount = 0;
      context.bindFramebuffer(context.FRAMEBUFFER, null);
      for (let j = 0; j < 5; j++) {
        for (let i = 0; i < 5; i++) {
          context.readPixels(
            ((i + 0.5) / 5) * context.drawingBufferWidth,
            ((j + 0.5) / 5) * context.drawingBufferHeight,
            1,
            1,
            context.RGBA,
            context.UNSIGNED_BYTE,
            pixel,
          );
          const [red = 0, green = 0, blue = 0] = pixel;
          if (red + green + blue > 12) visible++;
          if (Math.max(red, green, blue) - Math.min(red, green, blue) > 10) colouredCount++;
        }
      }
      if (measures.previewMs === 0 && visible >= 13) {
        measures.previewMs = performance.now();
        const loadedEntries = [
          ...performance.getEntriesByType('resource'),
          ...performance.getEntriesByType('navigation'),
        ] as PerformanceResourceTiming[];
        measures.previewBytes = loadedEntries
          .filter((entry) => entry.responseEnd > 0 && entry.responseEnd <= measures.previewMs)
          .reduce((sum, entry) => sum + entry.encodedBodySize, 0);
      }
      if (colouredCount === 25) measures.sharpMs = performance.now();
    }
    if (measures.sharpMs === 0) nextFrame(checkPixels);
  };
  nextFrame(checkPixels);
}
