import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fake service that records all requests of a page with their tokens. */
export interface ViewerService {
  readonly origin: string;
  readonly requests: readonly { readonly path: string; readonly token: string | undefined }[];
  close(): Promise<void>;
}

/**
 * Starts a fake of the external model-viewer service, version 7.*, for a real browser. Like the real script, its script
 * uses a style sheet, a blob worker, authenticated calls, a canvas and blob images.
 */
export async function startViewerService(): Promise<ViewerService> {
  const requests: { readonly path: string; readonly token: string | undefined }[] = [];
  const files: Readonly<Record<string, readonly [type: string, content: string]>> = {
    '/7/viewer3D.min.js': ['text/javascript', `(${runInPage.toString()})();`],
    '/7/style.min.css': ['text/css', '.stand-in-viewer { display: block; outline: 3px solid rgb(1, 2, 3) }'],
    '/models/dXJu': ['application/json', '{"color":"rgb(10, 200, 30)"}'],
  };
  const server = createServer(({ url = '', method, headers }, response) => {
    if (method !== 'OPTIONS') requests.push({ path: url, token: headers.authorization });
    const [type, content] = files[url] ?? ['text/plain', ''];
    response
      .writeHead(files[url] ? 200 : 404, {
        'content-type': type,
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'authorization',
      })
      .end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Runs in the page as source text, so it must not use anything from outside. */
function runInPage(): void {
  type Listener = () => void;
  type Vector = { readonly x: number; readonly y: number; readonly z: number };
  const service = new URL((document.currentScript as HTMLScriptElement).src).origin;
  let token = '';
  const askWorker = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(URL.createObjectURL(new Blob(['postMessage("works")'], { type: 'text/javascript' })));
      worker.onmessage = ({ data }) => resolve(String(data));
      worker.onerror = () => reject(new Error('no worker'));
    });

  class Viewer {
    eye: Vector = { x: 0, y: 0, z: 0 };
    target: Vector = { x: 0, y: 1, z: 0 };
    fov = 45;
    readonly canvas = document.createElement('canvas');
    readonly listeners = new Map<string, Listener[]>();
    readonly navigation = {
      getPosition: () => this.eye,
      getTarget: () => this.target,
      getVerticalFov: () => this.fov,
      setVerticalFov: (degrees: number) => void (this.fov = degrees),
      setView: (eye: Vector, target: Vector) => {
        this.eye = eye;
        this.target = target;
        this.canvas.dataset['eye'] = [eye.x, eye.y, eye.z].join(' ');
        for (const listener of this.listeners.get('cameraChanged') ?? []) listener();
      },
    };

    constructor(host: HTMLElement) {
      this.canvas.className = 'stand-in-viewer';
      host.append(this.canvas);
    }

    start = (): number => 0;
    finish = (): void => this.canvas.remove();
    resize = (): void => undefined;
    loadDocumentNode = async (_: unknown, node: { readonly color: string }): Promise<object> => {
      this.canvas.dataset['worker'] = await askWorker();
      const context = this.canvas.getContext('2d');
      if (context) {
        context.fillStyle = node.color;
        context.fillRect(0, 0, this.canvas.width, this.canvas.height);
      }
      return {};
    };
    addEventListener = (name: string, listener: Listener): void =>
      void this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
    select = (): void => undefined;
    clearSelection = (): void => undefined;
    fitToView = (): void => undefined;
    search = (_: string, onSuccess: (ids: readonly number[]) => void): void => onSuccess([]);
    getProperties = (_: number, __: unknown, onFailure: () => void): void => onFailure();
    clientToWorld = (): null => null;
    worldToClient = ({ x, y, z }: Vector): Vector => ({ x, y, z });
    getScreenShot = (_: number, __: number, callback: (url: string) => void): void =>
      this.canvas.toBlob((blob) => blob && callback(URL.createObjectURL(blob)));
  }

  Object.assign(window, {
    Autodesk: {
      Viewing: {
        SELECTION_CHANGED_EVENT: 'selection',
        CAMERA_CHANGE_EVENT: 'cameraChanged',
        GEOMETRY_LOADED_EVENT: 'geometryLoaded',
        WEBGL_CONTEXT_LOST_EVENT: 'webglContextLost',
        Initializer: (
          { getAccessToken }: { readonly getAccessToken: (callback: (newToken: string) => void) => void },
          ready: () => void,
        ) =>
          getAccessToken((newToken) => {
            token = newToken;
            ready();
          }),
        GuiViewer3D: Viewer,
        Document: {
          load: (urn: string, onSuccess: (model: object) => void, onFailure: (code: number) => void) =>
            void fetch(`${service}/models/${urn.slice(4)}`, { headers: { authorization: `Bearer ${token}` } })
              .then((response) => response.json())
              .then(
                (node: object) => onSuccess({ getRoot: () => ({ getDefaultGeometry: () => node }) }),
                () => onFailure(5),
              ),
        },
      },
    },
  });
}
