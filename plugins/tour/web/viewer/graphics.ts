import { WebGlUnavailable, type PanoramaStatistics } from '#plugins/tour';
import { Renderer } from './gl/renderer.ts';
import { TilePages } from './gl/tile-pages.ts';
import type { ScenePlan } from './scene-plan.ts';
import { PreviewStore, type EarlyPreview } from './tiles/preview-store.ts';
import { TileStore } from './tiles/tile-store.ts';

const tileSize = 512;
/** Number of cached tiles, one megabyte each. */
const maxCachedTiles = { desktop: 112, handheld: 80 } as const;
/** Maximum number of canvas pixels per CSS pixel, in one direction. */
const maxPixelRatio = 2;
const maxPixels = 6_000_000;

/**
 * The canvas, its context, and all resources on the graphics card. The resources are created again when a lost context
 * is restored.
 */
export class Graphics {
  readonly canvas = document.createElement('canvas');
  readonly gl: WebGL2RenderingContext;
  renderer!: Renderer;
  pages!: TilePages;
  tiles!: TileStore;
  previews!: PreviewStore;
  lost = false;
  readonly #onPreviewLoaded: () => void;
  #rendererName: string | undefined;

  /**
   * @param host the element that the canvas will fill
   * @param onPreviewLoaded called when the bytes of a preview are loaded
   * @throws WebGlUnavailable
   */
  constructor(
    host: Pick<HTMLElement, 'clientWidth' | 'clientHeight'>,
    onLost: () => void,
    onRestored: () => void,
    onPreviewLoaded: () => void,
    earlyPreview?: EarlyPreview,
  ) {
    this.#onPreviewLoaded = onPreviewLoaded;
    Object.assign(this.canvas.style, {
      position: 'absolute',
      inset: '0',
      width: '100%',
      height: '100%',
      display: 'block',
    });
    this.canvas.setAttribute('aria-hidden', 'true');
    // Resized before the context is created, because a later resize allocates the context's buffers twice.
    this.resize(host.clientWidth, host.clientHeight);
    const gl = this.canvas.getContext('webgl2', { alpha: false, antialias: false, depth: false, stencil: false });
    if (!gl) throw new WebGlUnavailable();
    this.gl = gl;
    this.#createResources(earlyPreview);
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.lost = true;
      onLost();
    });
    this.canvas.addEventListener('webglcontextrestored', () => {
      this.lost = false;
      this.#createResources();
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
    const pixelWidth = Math.max(1, Math.round(width * ratio));
    const pixelHeight = Math.max(1, Math.round(height * ratio));
    if (this.canvas.width !== pixelWidth) this.canvas.width = pixelWidth;
    if (this.canvas.height !== pixelHeight) this.canvas.height = pixelHeight;
  }

  /** Cached, because reading it waits for the graphics card. */
  get rendererName(): string {
    const names = this.gl.getExtension('WEBGL_debug_renderer_info');
    return (this.#rendererName ??= String(
      this.gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : this.gl.RENDERER),
    ));
  }

  #createResources(earlyPreview?: EarlyPreview): void {
    this.renderer = new Renderer(this.gl);
    this.pages = new TilePages(
      this.gl,
      tileSize,
      window.matchMedia('(pointer: coarse)').matches ? maxCachedTiles.handheld : maxCachedTiles.desktop,
    );
    this.tiles = new TileStore(this.pages, tileSize);
    this.previews = new PreviewStore(this.gl, this.#onPreviewLoaded, earlyPreview);
  }
}

/** Reads the statistics of an engine. `frames` counts its frames so far. `plan` belongs to the last frame. */
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
