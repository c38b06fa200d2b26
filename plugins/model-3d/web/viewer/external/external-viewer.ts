import { toDirection, toPanTilt, type Point3 } from '#core';
import type { EyeView, SurfacePick } from '#plugins/tour';
import { ExternalFailure, toExternalFailure, viewerErrors } from './external-failure.ts';
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
  readonly requestToken: () => Promise<{ readonly token: string; readonly expiresInSeconds: number }>;
  /** Reports a failure after the start, such as a token that could not be renewed. */
  readonly onFailed: (failure: ExternalFailure) => void;
  readonly onMoved: (state: EyeView) => void;
  readonly onSelected: (tag: string | undefined) => void;
}

const timeoutMs = 45_000;
/** Property names that CAD programs use for a tag. */
const tagAttributes = ['Tag', 'TagNumber', 'Tag Number', 'Mark', 'Name'];

/**
 * The runtime of the service is loaded and initialised once per page. It requests its tokens from the component that
 * shows a model at that time.
 */
let runtime: Promise<ViewerRuntime> | undefined;
let requestCurrentToken: ExternalOptions['requestToken'] | undefined;
let handleTokenFailure: ((cause: unknown) => void) | undefined;

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
    const timer = setTimeout(() => reject(new ExternalFailure('slow')), timeoutMs);
    const getAccessToken = (onToken: (token: string, expiresInSeconds: number) => void): void => {
      requestCurrentToken?.().then(
        ({ token, expiresInSeconds }) => onToken(token, expiresInSeconds),
        (cause: unknown) => {
          clearTimeout(timer);
          reject(new ExternalFailure('token', undefined, { cause }));
          handleTokenFailure?.(cause);
        },
      );
    };
    viewing.Initializer({ env, api, language, useADP: false, getAccessToken }, () => {
      clearTimeout(timer);
      resolve();
    });
  });
  return viewing;
}

/** Makes the next viewer load its script again, in tests. */
export function resetRuntime(): void {
  runtime = undefined;
  delete window.Autodesk;
}

/** Shows one model of the external service in the site frame. */
export class ExternalViewer {
  readonly #viewer: Viewer;
  readonly #host: HTMLElement;
  readonly #viewing: ViewerRuntime;
  #ownViewKey = '';

  private constructor(viewing: ViewerRuntime, viewer: Viewer, host: HTMLElement) {
    this.#viewing = viewing;
    this.#viewer = viewer;
    this.#host = host;
  }

  /**
   * Loads the script and the model.
   *
   * @throws `ExternalFailure` if one of them cannot be loaded
   */
  static async open(host: HTMLElement, options: ExternalOptions, signal: AbortSignal): Promise<ExternalViewer> {
    const { settings, urn, language, dark, requestToken, onFailed } = options;
    requestCurrentToken = requestToken;
    handleTokenFailure = (cause) => onFailed(new ExternalFailure('token', undefined, { cause }));
    runtime ??= startRuntime(settings, language).catch((error: unknown) => {
      runtime = undefined;
      throw error;
    });
    const viewing = await runtime;
    signal.throwIfAborted();
    const viewer = new viewing.GuiViewer3D(host, { theme: dark ? 'dark-theme' : 'light-theme' });
    const code = viewer.start();
    if (code !== 0) throw toExternalFailure(viewerErrors.noWebGl);
    const externalViewer = new ExternalViewer(viewing, viewer, host);
    signal.addEventListener('abort', () => viewer.finish(), { once: true });
    const model = await new Promise<ViewerDocument>((resolve, reject) =>
      viewing.Document.load(`urn:${urn}`, resolve, (errorCode) => reject(toExternalFailure(errorCode))),
    );
    signal.throwIfAborted();
    const view = model.getRoot().getDefaultGeometry();
    if (!view) throw toExternalFailure(viewerErrors.noView);
    await viewer.loadDocumentNode(model, view, { globalOffset: { x: 0, y: 0, z: 0 }, applyScaling: 'm' });
    signal.throwIfAborted();
    externalViewer.#listen(options);
    return externalViewer;
  }

  setState({ position, pan, tilt, fov }: EyeView): void {
    const { navigation } = this.#viewer;
    const [x, y, z] = toDirection(pan, tilt);
    this.#ownViewKey = toViewKey({ position, pan, tilt, fov });
    navigation.setVerticalFov(fov, false);
    navigation.setView(toVector(position), { x: position[0] + x, y: position[1] + y, z: position[2] + z });
  }

  /** Selects the objects with a tag and brings them into view, or clears the selection. */
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
    const depth = (point[0] - position[0]) * dx + (point[1] - position[1]) * dy + (point[2] - position[2]) * dz;
    if (depth <= 0) return undefined;
    const { x, y } = this.#viewer.worldToClient(toVector(point));
    return { x, y };
  }

  sees(point: Point3): boolean {
    const pixel = this.toPixel(point);
    const hit = pixel && this.pick(pixel.x, pixel.y);
    if (!hit) return pixel !== undefined;
    const { position } = this.state;
    const computeDistance = (other: Point3): number =>
      Math.hypot(other[0] - position[0], other[1] - position[1], other[2] - position[2]);
    // Tolerates one percent and 5 cm, because picks are not exact.
    return computeDistance(hit.point) >= computeDistance(point) * 0.99 - 0.05;
  }

  picture(): Promise<Blob> {
    const { clientWidth, clientHeight } = this.#host;
    return new Promise((resolve, reject) => {
      this.#viewer.getScreenShot(
        clientWidth,
        clientHeight,
        (address) => void copyPicture(address).then(resolve, reject),
      );
    });
  }

  get state(): EyeView {
    const { navigation } = this.#viewer;
    const eye = navigation.getPosition();
    const target = navigation.getTarget();
    return {
      position: [eye.x, eye.y, eye.z],
      ...toPanTilt([target.x - eye.x, target.y - eye.y, target.z - eye.z]),
      fov: navigation.getVerticalFov(),
    };
  }

  #listen({ onMoved, onSelected, onFailed }: ExternalOptions): void {
    const viewer = this.#viewer;
    viewer.addEventListener(this.#viewing.CAMERA_CHANGE_EVENT, () => {
      const { state } = this;
      // Changes by `setState` are reported as events too.
      if (toViewKey(state) !== this.#ownViewKey) onMoved(state);
    });
    viewer.addEventListener(this.#viewing.SELECTION_CHANGED_EVENT, ({ dbIdArray = [] }) => {
      const [id] = dbIdArray;
      if (id === undefined) return onSelected(undefined);
      viewer.getProperties(
        id,
        ({ properties, name }) => {
          const tagValue = tagAttributes
            .map((attribute) => properties.find(({ displayName }) => displayName === attribute)?.displayValue)
            .find((value) => value !== undefined && String(value).trim() !== '');
          onSelected(String(tagValue ?? name ?? '').trim() || undefined);
        },
        () => onSelected(undefined),
      );
    });
    viewer.addEventListener(this.#viewing.WEBGL_CONTEXT_LOST_EVENT, () =>
      onFailed(new ExternalFailure('failed', viewerErrors.contextLost)),
    );
  }
}

const toVector = ([x, y, z]: Point3): Vector => ({ x, y, z });
const toViewKey = ({ position, pan, tilt, fov }: EyeView): string =>
  [...position, pan, tilt, fov].map((value) => value.toFixed(3)).join(' ');

/** Copies an image by a canvas, because the content security policy forbids to fetch blob addresses. */
async function copyPicture(address: string): Promise<Blob> {
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
