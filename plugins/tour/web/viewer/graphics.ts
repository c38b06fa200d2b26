import { WebGlUnavailable, type PanoramaStatistics } from '#plugins/tour';
import { Renderer } from './gl/renderer.ts';
import { TilePages } from './gl/tile-pages.ts';
import type { ScenePlan } from './scene-plan.ts';
import { PreviewStore, type EarlyPreview } from './tiles/preview-store.ts';
import { TileStore } from './tiles/tile-store.ts';

const tileSize = 512;
/** Number of cached tiles, one megabyte each. */
const tilesHeld = { desktop: 112, handheld: 80 } as const;
/** Maximum canvas pixels per CSS pixel, and in total. */
const maxPixelRatio = 2;
const maxPixels = 6_000_000;

/**
 * The canvas, its context, and all its resources on the graphics card. Create a new instance after the context was
 * lost.
 */
export class Graphics {
  readonly canvas = document.createElement('canvas');
  readonly gl: WebGL2RenderingContext;
  renderer!: Renderer;
  pages!: TilePages;
  tiles!: TileStore;
  previews!: PreviewStore;
  lost = false;
  readonly #onArrived: () => void;

  /**
   * For a canvas that fills `host`. `onArrived` is called when the bytes of a preview are loaded. Throws
   * `WebGlUnavailable`.
   */
  constructor(
    host: Pick<HTMLElement, 'clientWidth' | 'clientHeight'>,
    onLost: () => void,
    onRestored: () => void,
    onArrived: () => void,
    early?: EarlyPreview,
  ) {
    this.#onArrived = onArrived;
    Object.assign(this.canvas.style, {
      position: 'absolute',
      inset: '0',
      width: '100%',
      height: '100%',
      display: 'block',
    });
    this.canvas.setAttribute('aria-hidden', 'true');
    // A later resize would allocate the context's buffers twice.
    this.resize(host.clientWidth, host.clientHeight);
    const gl = this.canvas.getContext('webgl2', { alpha: false, antialias: false, depth: false, stencil: false });
    if (!gl) throw new WebGlUnavailable();
    this.gl = gl;
    this.#make(early);
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.lost = true;
      onLost();
    });
    this.canvas.addEventListener('webglcontextrestored', () => {
      this.lost = false;
      this.#make();
      onRestored();
    });
  }

  /** Resizes the canvas to its size on the page, in CSS pixels. */
  resize(width: number, height: number): void {
    const ratio = Math.min(
      window.devicePixelRatio || 1,
      maxPixelRatio,
      Math.sqrt(maxPixels / Math.max(1, width * height)),
    );
    const across = Math.max(1, Math.round(width * ratio));
    const down = Math.max(1, Math.round(height * ratio));
    if (this.canvas.width !== across) this.canvas.width = across;
    if (this.canvas.height !== down) this.canvas.height = down;
  }

  get rendererName(): string {
    const names = this.gl.getExtension('WEBGL_debug_renderer_info');
    return String(this.gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : this.gl.RENDERER));
  }

  #make(early?: EarlyPreview): void {
    this.renderer = new Renderer(this.gl);
    this.pages = new TilePages(
      this.gl,
      tileSize,
      window.matchMedia('(pointer: coarse)').matches ? tilesHeld.handheld : tilesHeld.desktop,
    );
    this.tiles = new TileStore(this.pages, tileSize);
    this.previews = new PreviewStore(this.gl, this.#onArrived, early);
  }
}

/** Statistics of an engine after `frames` frames, the last one drawn by `plan`. */
export function readStatistics(
  graphics: Graphics | undefined,
  plan: ScenePlan | undefined,
  frames: number,
): PanoramaStatistics {
  return {
    renderer: graphics?.rendererName ?? '',
    maximumTextureSize: graphics ? Number(graphics.gl.getParameter(graphics.gl.MAX_TEXTURE_SIZE)) : 0,
    frames,
    drawCalls: graphics?.renderer.drawCalls ?? 0,
    tilesOnScreen: plan?.tiles.length ?? 0,
    tilesHeld: graphics?.tiles.count ?? 0,
    textureBytes: graphics ? graphics.pages.bytes + graphics.previews.bytes : 0,
    levelWidth: plan?.levelWidth ?? 0,
  };
}
