import { toDirection, toPanTilt, type Point3 } from '#core';
import type { CameraView, SurfacePick } from '#plugins/tour';
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
  /** Base64 URN of the model, without the prefix `urn:`. */
  readonly urn: string;
  readonly language: string;
  readonly dark: boolean;
  readonly requestToken: () => Promise<{ readonly token: string; readonly expiresInSeconds: number }>;
  /** Reports a failure after the start, such as a token that could not be renewed. */
  readonly onFailed: (failure: ExternalFailure) => void;
  /** Reports a view that was not set by `setView`. */
  readonly onViewChanged: (view: CameraView) => void;
  readonly onTagSelected: (tag: string | undefined) => void;
}

const timeoutMs = 45_000;
/** Property names that CAD programs use for tag numbers. */
const tagAttributes = ['Tag', 'TagNumber', 'Tag Number', 'Mark', 'Name'];

/**
 * The runtime of the external viewer (Autodesk Platform Services) is loaded and initialised once per page. It requests
 * its tokens from the component that shows a model when a token expires.
 */
let pendingRuntime: Promise<ViewerRuntime> | undefined;
let requestTokenOfShownModel: ExternalOptions['requestToken'] | undefined;
let handleTokenFailure: ((cause: unknown) => void) | undefined;

function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const element = document.createElement('script');
    element.src = url;
    element.onload = () => resolve();
    element.onerror = () => {
      element.remove();
      reject(new ExternalFailure('script'));
    };
    document.head.append(element);
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
      requestTokenOfShownModel?.().then(
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

/** Removes the runtime, so that the next viewer loads its script again. */
export function unloadRuntime(): void {
  pendingRuntime = undefined;
  delete window.Autodesk;
}

/** Shows one model of Autodesk Platform Services in the site frame. */
export class ExternalViewer {
  readonly #viewer: Viewer;
  readonly #host: HTMLElement;
  readonly #viewing: ViewerRuntime;
  /** Key of the last view that `setView` set. */
  #lastSetViewKey = '';

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
    requestTokenOfShownModel = requestToken;
    handleTokenFailure = (cause) => onFailed(new ExternalFailure('token', undefined, { cause }));
    pendingRuntime ??= startRuntime(settings, language).catch((error: unknown) => {
      pendingRuntime = undefined;
      throw error;
    });
    const viewing = await pendingRuntime;
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

  setView({ position, pan, tilt, fov }: CameraView): void {
    const { navigation } = this.#viewer;
    const [x, y, z] = toDirection(pan, tilt);
    this.#lastSetViewKey = toViewKey({ position, pan, tilt, fov });
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
    const { position, pan, tilt } = this.currentView;
    const [dx, dy, dz] = toDirection(pan, tilt);
    const depth = (point[0] - position[0]) * dx + (point[1] - position[1]) * dy + (point[2] - position[2]) * dz;
    if (depth <= 0) return undefined;
    const { x, y } = this.#viewer.worldToClient(toVector(point));
    return { x, y };
  }

  isVisible(point: Point3): boolean {
    const pixel = this.toPixel(point);
    const hit = pixel && this.pick(pixel.x, pixel.y);
    if (!hit) return pixel !== undefined;
    const { position } = this.currentView;
    const computeDistance = (other: Point3): number =>
      Math.hypot(other[0] - position[0], other[1] - position[1], other[2] - position[2]);
    // Tolerates one percent and 5 cm, because picks are not exact.
    return computeDistance(hit.point) >= computeDistance(point) * 0.99 - 0.05;
  }

  takePicture(): Promise<Blob> {
    const { clientWidth, clientHeight } = this.#host;
    return new Promise((resolve, reject) => {
      this.#viewer.getScreenShot(clientWidth, clientHeight, (url) => void copyToPng(url).then(resolve, reject));
    });
  }

  get currentView(): CameraView {
    const { navigation } = this.#viewer;
    const eye = navigation.getPosition();
    const target = navigation.getTarget();
    return {
      position: [eye.x, eye.y, eye.z],
      ...toPanTilt([target.x - eye.x, target.y - eye.y, target.z - eye.z]),
      fov: navigation.getVerticalFov(),
    };
  }

  #listen({ onViewChanged, onTagSelected, onFailed }: ExternalOptions): void {
    const viewer = this.#viewer;
    viewer.addEventListener(this.#viewing.CAMERA_CHANGE_EVENT, () => {
      const { currentView } = this;
      // The runtime emits this event also after `setView`, whose views are not reported.
      if (toViewKey(currentView) !== this.#lastSetViewKey) onViewChanged(currentView);
    });
    viewer.addEventListener(this.#viewing.SELECTION_CHANGED_EVENT, ({ dbIdArray = [] }) => {
      const [id] = dbIdArray;
      if (id === undefined) return onTagSelected(undefined);
      viewer.getProperties(
        id,
        ({ properties, name }) => {
          const tagValue = tagAttributes
            .map((attribute) => properties.find(({ displayName }) => displayName === attribute)?.displayValue)
            .find((value) => value !== undefined && String(value).trim() !== '');
          onTagSelected(String(tagValue ?? name ?? '').trim() || undefined);
        },
        () => onTagSelected(undefined),
      );
    });
    viewer.addEventListener(this.#viewing.WEBGL_CONTEXT_LOST_EVENT, () =>
      onFailed(new ExternalFailure('failed', viewerErrors.contextLost)),
    );
  }
}

const toVector = ([x, y, z]: Point3): Vector => ({ x, y, z });
const toViewKey = ({ position, pan, tilt, fov }: CameraView): string =>
  [...position, pan, tilt, fov].map((value) => value.toFixed(3)).join(' ');

/** Copies an image through a canvas, because the content security policy forbids fetching blob URLs. */
async function copyToPng(url: string): Promise<Blob> {
  const image = new Image();
  image.src = url;
  await image.decode();
  URL.revokeObjectURL(url);
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
