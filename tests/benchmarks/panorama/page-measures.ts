/** The interface of each measured page. */
export interface BenchPage {
  /** Degrees clockwise; tilt is 0. */
  look(pan: number): void;
  addPins(pins: readonly { readonly id: string; readonly pan: number; readonly tilt: number }[]): void;
  /** Our engine only: shows another image until it is sharp and returns the texture bytes. */
  goTo?(node: string): Promise<number>;
}

export interface PageMeasures {
  /** Milliseconds since the start of the navigation; 0 until then. */
  preview: number;
  sharp: number;
  /** Bytes loaded before the first image, including page and scripts. */
  previewBytes: number;
  /** Counted since `restart`. */
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
 * Runs in each page before its scripts. Counts draw calls and samples 25 canvas pixels after each frame: the image is
 * visible when 13 are not black, and sharp when all are coloured, since coarse levels are grey.
 */
export function measurePage(): void {
  const measures = {
    preview: 0,
    sharp: 0,
    previewBytes: 0,
    frames: 0,
    draws: 0,
    restart: () => Object.assign(measures, { frames: 0, draws: 0 }),
  };
  Object.assign(window, { measures });
  let context: WebGLRenderingContext | undefined;
  let drew = false;
  const count = (owner: object, names: readonly string[]): void => {
    for (const name of names) {
      const original: unknown = Reflect.get(owner, name);
      if (typeof original !== 'function') continue;
      Reflect.set(owner, name, (...values: unknown[]) => {
        measures.draws++;
        drew = true;
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
    const made = getContext.call(this, kind, {
      ...options,
      preserveDrawingBuffer: true,
    }) as WebGLRenderingContext | null;
    if (made && made !== context) {
      context = made;
      count(made, ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced', 'drawRangeElements']);
    }
    return made;
  } as typeof HTMLCanvasElement.prototype.getContext;

  const nextFrame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) =>
    nextFrame((time) => {
      drew = false;
      callback(time);
      if (drew) measures.frames++;
    });

  const check = (): void => {
    if (context && !context.isContextLost()) {
      const pixel = new Uint8Array(4);
      let highlighted = 0;
      let coloured = 0;
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
          if (red + green + blue > 12) highlighted++;
          if (Math.max(red, green, blue) - Math.min(red, green, blue) > 10) coloured++;
        }
      }
      if (measures.preview === 0 && highlighted >= 13) {
        measures.preview = performance.now();
        const loaded = [
          ...performance.getEntriesByType('resource'),
          ...performance.getEntriesByType('navigation'),
        ] as PerformanceResourceTiming[];
        measures.previewBytes = loaded
          .filter((entry) => entry.responseEnd > 0 && entry.responseEnd <= measures.preview)
          .reduce((sum, entry) => sum + entry.encodedBodySize, 0);
      }
      if (coloured === 25) measures.sharp = performance.now();
    }
    if (measures.sharp === 0) nextFrame(check);
  };
  nextFrame(check);
}
