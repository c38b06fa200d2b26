import { toDirection, toPanTilt, type Point3 } from '#core';
import type { EyeView, SurfacePick } from '#plugins/tour';
import { ExternalFailure, failureOfCode } from './external-failure.ts';
import type { Vector, Viewer, ViewerDocument, ViewerRuntime } from './viewer-contract.ts';

export interface ExternalSettings {
  readonly script: string;
  readonly styles?: string | undefined;
  readonly env: string;
  readonly api: string;
}

export interface ExternalOptions {
  readonly settings: ExternalSettings;
  readonly urn: string;
  readonly language: string;
  readonly dark: boolean;
  readonly token: () => Promise<{ readonly token: string; readonly expiresInSeconds: number }>;
  /** Reports a failure after the start, such as a token that could not be renewed. */
  readonly onFailed: (failure: ExternalFailure) => void;
  readonly onMoved: (state: EyeView) => void;
  readonly onSelected: (tag: string | undefined) => void;
}

const timeoutMs = 45_000;
/** Property names that CAD programs use for a tag. */
const tagAttributes = ['Tag', 'TagNumber', 'Tag Number', 'Mark', 'Name'];

/**
 * The runtime is global: it is loaded and initialised once per page. Tokens come from the component that currently
 * shows a model.
 */
let runtime: Promise<ViewerRuntime> | undefined;
let tokenNow: (() => Promise<{ readonly token: string; readonly expiresInSeconds: number }>) | undefined;
let tokenFailed: ((cause: unknown) => void) | undefined;

function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new ExternalFailure('script'));
    };
    document.head.append(script);
  });
}

async function startRuntime({ script, styles, env, api }: ExternalSettings, language: string): Promise<ViewerRuntime> {
  if (styles !== undefined && ![...document.head.querySelectorAll('link')].some((link) => link.href === styles)) {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = styles;
    document.head.append(link);
  }
  await loadScript(script);
  const viewing = window.Autodesk?.Viewing;
  if (!viewing) throw new ExternalFailure('script');
  await new Promise<void>((resolve, reject) => {
    const clock = setTimeout(() => reject(new ExternalFailure('slow')), timeoutMs);
    const getAccessToken = (take: (token: string, expiresInSeconds: number) => void): void => {
      tokenNow?.().then(
        ({ token, expiresInSeconds }) => take(token, expiresInSeconds),
        (cause: unknown) => {
          clearTimeout(clock);
          reject(new ExternalFailure('token', undefined, { cause }));
          tokenFailed?.(cause);
        },
      );
    };
    viewing.Initializer({ env, api, language, useADP: false, getAccessToken }, () => {
      clearTimeout(clock);
      resolve();
    });
  });
  return viewing;
}

/** For tests: the next viewer loads its script again. */
export function forgetRuntime(): void {
  runtime = undefined;
  delete window.Autodesk;
}

/** One model of the external service, in the site frame. */
export class ExternalViewer {
  readonly #viewer: Viewer;
  readonly #host: HTMLElement;
  readonly #viewing: ViewerRuntime;
  #told = '';

  private constructor(viewing: ViewerRuntime, viewer: Viewer, host: HTMLElement) {
    this.#viewing = viewing;
    this.#viewer = viewer;
    this.#host = host;
  }

  /**
   * Loads script and model.
   *
   * @throws `ExternalFailure`
   */
  static async open(host: HTMLElement, options: ExternalOptions, signal: AbortSignal): Promise<ExternalViewer> {
    const { settings, urn, language, dark, token, onFailed } = options;
    tokenNow = token;
    tokenFailed = (cause) => onFailed(new ExternalFailure('token', undefined, { cause }));
    runtime ??= startRuntime(settings, language).catch((error: unknown) => {
      runtime = undefined;
      throw error;
    });
    const viewing = await runtime;
    signal.throwIfAborted();
    const viewer = new viewing.GuiViewer3D(host, { theme: dark ? 'dark-theme' : 'light-theme' });
    const code = viewer.start();
    if (code !== 0) throw failureOfCode(8);
    const opened = new ExternalViewer(viewing, viewer, host);
    signal.addEventListener('abort', () => viewer.finish(), { once: true });
    const model = await new Promise<ViewerDocument>((resolve, reject) =>
      viewing.Document.load(`urn:${urn}`, resolve, (failed) => reject(failureOfCode(failed))),
    );
    signal.throwIfAborted();
    const view = model.getRoot().getDefaultGeometry();
    if (!view) throw failureOfCode(9);
    await viewer.loadDocumentNode(model, view, { globalOffset: { x: 0, y: 0, z: 0 }, applyScaling: 'm' });
    signal.throwIfAborted();
    opened.#listen(options);
    return opened;
  }

  setState({ position, pan, tilt, fov }: EyeView): void {
    const { navigation } = this.#viewer;
    const [x, y, z] = toDirection(pan, tilt);
    this.#told = toKey({ position, pan, tilt, fov });
    navigation.setVerticalFov(fov, false);
    navigation.setView(toVector(position), { x: position[0] + x, y: position[1] + y, z: position[2] + z });
  }

  /** Selects the objects with this tag, and brings them into view. */
  selectTag(tag: string | undefined): void {
    if (tag === undefined) return this.#viewer.clearSelection();
    this.#viewer.search(
      `"${tag}"`,
      (ids) => {
        if (ids.length === 0) return;
        this.#viewer.select(ids);
        this.#viewer.fitToView(ids);
      },
      () => undefined,
      tagAttributes,
    );
  }

  resize(): void {
    this.#viewer.resize();
  }

  pick(x: number, y: number): SurfacePick | undefined {
    const hit = this.#viewer.clientToWorld(x, y);
    return hit
      ? {
          point: [hit.point.x, hit.point.y, hit.point.z],
          normal: undefined,
          source: 'MODEL',
          sigma: undefined,
          edge: false,
        }
      : undefined;
  }

  toPixel(point: Point3): { readonly x: number; readonly y: number } | undefined {
    const { position, pan, tilt } = this.state;
    const [dx, dy, dz] = toDirection(pan, tilt);
    const before = (point[0] - position[0]) * dx + (point[1] - position[1]) * dy + (point[2] - position[2]) * dz;
    if (before <= 0) return undefined;
    const { x, y } = this.#viewer.worldToClient(toVector(point));
    return { x, y };
  }

  sees(point: Point3): boolean {
    const pixel = this.toPixel(point);
    const hit = pixel && this.pick(pixel.x, pixel.y);
    if (!hit) return pixel !== undefined;
    const { position } = this.state;
    const away = (other: Point3): number =>
      Math.hypot(other[0] - position[0], other[1] - position[1], other[2] - position[2]);
    return away(hit.point) >= away(point) * 0.99 - 0.05;
  }

  picture(): Promise<Blob> {
    const { clientWidth, clientHeight } = this.#host;
    return new Promise((resolve, reject) => {
      this.#viewer.getScreenShot(clientWidth, clientHeight, (address) => void pictureAt(address).then(resolve, reject));
    });
  }

  get state(): EyeView {
    const { navigation } = this.#viewer;
    const from = navigation.getPosition();
    const to = navigation.getTarget();
    return {
      position: [from.x, from.y, from.z],
      ...toPanTilt([to.x - from.x, to.y - from.y, to.z - from.z]),
      fov: navigation.getVerticalFov(),
    };
  }

  #listen({ onMoved, onSelected, onFailed }: ExternalOptions): void {
    const viewer = this.#viewer;
    viewer.addEventListener(this.#viewing.CAMERA_CHANGE_EVENT, () => {
      const { state } = this;
      // Our own camera changes come back as events.
      if (toKey(state) !== this.#told) onMoved(state);
    });
    viewer.addEventListener(this.#viewing.SELECTION_CHANGED_EVENT, ({ dbIdArray = [] }) => {
      const [id] = dbIdArray;
      if (id === undefined) return onSelected(undefined);
      viewer.getProperties(
        id,
        ({ properties, name }) => {
          const found = tagAttributes
            .map((attribute) => properties.find(({ displayName }) => displayName === attribute)?.displayValue)
            .find((value) => value !== undefined && String(value).trim() !== '');
          onSelected(String(found ?? name ?? '').trim() || undefined);
        },
        () => onSelected(undefined),
      );
    });
    viewer.addEventListener(this.#viewing.WEBGL_CONTEXT_LOST_EVENT, () => onFailed(new ExternalFailure('failed', 15)));
  }
}

const toVector = ([x, y, z]: Point3): Vector => ({ x, y, z });
const toKey = ({ position, pan, tilt, fov }: EyeView): string =>
  [...position, pan, tilt, fov].map((value) => value.toFixed(3)).join(' ');

/**
 * Drawn on a canvas instead of fetched, because the content security policy allows blob images but no requests to them.
 */
async function pictureAt(address: string): Promise<Blob> {
  const image = new Image();
  image.src = address;
  await image.decode();
  URL.revokeObjectURL(address);
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The browser could not make a picture of the model.'))),
      'image/png',
    );
  });
}
