import type {
  InitializerOptions,
  Vector,
  ViewerDocument,
  ViewerProperties,
} from '../../web/viewer/external/viewer-contract.ts';

type Listener = (event: { readonly dbIdArray?: readonly number[] }) => void;

const objects: Readonly<Record<number, ViewerProperties>> = {
  7: { dbId: 7, name: 'Separator [123]', properties: [{ displayName: 'Tag', displayValue: 'V-101' }] },
  8: { dbId: 8, name: 'Scrubber [124]', properties: [{ displayName: 'Tag', displayValue: 'V-102' }] },
};

class FakeGuiViewer {
  eye: Vector = { x: 0, y: 0, z: 0 };
  target: Vector = { x: 0, y: 1, z: 0 };
  fov = 45;
  selected: readonly number[] = [];
  finished = false;
  readonly #owner: FakeExternalViewer;
  readonly #listeners = new Map<string, Listener[]>();

  constructor(owner: FakeExternalViewer) {
    this.#owner = owner;
  }

  readonly navigation = {
    getPosition: () => this.eye,
    getTarget: () => this.target,
    getVerticalFov: () => this.fov,
    setView: (eye: Vector, target: Vector) => this.moveTo(eye, target),
    setVerticalFov: (degrees: number) => void (this.fov = degrees),
  };

  start = (): number => this.#owner.startCode;
  finish = (): void => void (this.finished = true);
  resize = (): void => undefined;
  loadDocumentNode = (_: ViewerDocument, __: object, options: object): Promise<object> => {
    this.#owner.loadOptions.push(options);
    return Promise.resolve({});
  };
  addEventListener = (name: string, listener: Listener): void =>
    void this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
  select = (ids: readonly number[]): void => void (this.selected = ids);
  clearSelection = (): void => void (this.selected = []);
  fitToView = (): void => undefined;
  search = (text: string, ok: (ids: readonly number[]) => void): void =>
    ok(
      Object.values(objects)
        .filter(({ properties }) => properties.some(({ displayValue }) => `"${displayValue}"` === text))
        .map(({ dbId }) => dbId),
    );
  getProperties = (id: number, ok: (properties: ViewerProperties) => void, fail: () => void): void =>
    objects[id] ? ok(objects[id]) : fail();
  clientToWorld = (x: number, y: number): { readonly point: Vector } => ({ point: { x, y, z: 0 } });
  worldToClient = ({ x, y, z }: Vector): Vector => ({ x, y, z });
  getScreenShot = (_: number, __: number, onTaken: (url: string) => void): void => onTaken('data:image/png;base64,');

  moveTo(eye: Vector, target: Vector): void {
    this.eye = eye;
    this.target = target;
    this.#emit('cameraChanged', {});
  }

  click(id: number): void {
    this.#emit('selection', { dbIdArray: [id] });
  }

  #emit(name: string, event: Parameters<Listener>[0]): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(event);
  }
}

/**
 * A fake of the external viewer, version 7. It defines its global objects when its script is added to the page, and
 * each step can be made to fail.
 */
export class FakeExternalViewer {
  readonly scripts: string[] = [];
  readonly initializerOptions: InitializerOptions[] = [];
  readonly receivedTokens: (readonly [string, number])[] = [];
  readonly loadedUrns: string[] = [];
  readonly loadOptions: object[] = [];
  scriptFails = false;
  documentErrorCode: number | undefined;
  hasView = true;
  startCode = 0;
  viewer = new FakeGuiViewer(this);
  #observer: MutationObserver | undefined;

  install(): void {
    this.#observer = new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) if (node instanceof HTMLScriptElement) this.#load(node);
    });
    this.#observer.observe(document.head, { childList: true });
  }

  remove(): void {
    this.#observer?.disconnect();
    for (const element of document.head.querySelectorAll('script, link')) element.remove();
  }

  clearFailures(): void {
    Object.assign(this, { scriptFails: false, documentErrorCode: undefined, hasView: true, startCode: 0 });
  }

  /** Requests another token, as the viewer does before a token expires. */
  requestToken(): void {
    this.initializerOptions.at(-1)?.getAccessToken((token, seconds) => this.receivedTokens.push([token, seconds]));
  }

  #load(script: HTMLScriptElement): void {
    this.scripts.push(script.src);
    if (this.scriptFails) {
      script.dispatchEvent(new Event('error'));
      return;
    }
    const createViewer = (): FakeGuiViewer => (this.viewer = new FakeGuiViewer(this));
    Object.assign(window, {
      Autodesk: {
        Viewing: {
          SELECTION_CHANGED_EVENT: 'selection',
          CAMERA_CHANGE_EVENT: 'cameraChanged',
          GEOMETRY_LOADED_EVENT: 'geometryLoaded',
          WEBGL_CONTEXT_LOST_EVENT: 'webglContextLost',
          Initializer: (options: InitializerOptions, ready: () => void) => {
            this.initializerOptions.push(options);
            options.getAccessToken((token, seconds) => {
              this.receivedTokens.push([token, seconds]);
              ready();
            });
          },
          GuiViewer3D: class {
            constructor() {
              return createViewer();
            }
          },
          Document: {
            load: (urn: string, ok: (document: ViewerDocument) => void, fail: (code: number) => void) => {
              this.loadedUrns.push(urn);
              if (this.documentErrorCode !== undefined) fail(this.documentErrorCode);
              else ok({ getRoot: () => ({ getDefaultGeometry: () => (this.hasView ? {} : null) }) });
            },
          },
        },
      },
    });
    script.dispatchEvent(new Event('load'));
  }
}
