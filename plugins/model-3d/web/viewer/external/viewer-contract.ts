/**
 * The part of `Autodesk.Viewing`, the global object of the viewer of Autodesk Platform Services (version 7.*), that
 * this plugin uses. Lengths are in metres, without an offset.
 */
export interface ViewerRuntime {
  Initializer(options: InitializerOptions, ready: () => void): void;
  readonly GuiViewer3D: new (host: HTMLElement, options: { readonly theme: 'light-theme' | 'dark-theme' }) => Viewer;
  readonly Document: {
    load(urn: string, ok: (document: ViewerDocument) => void, failed: (code: number, message?: string) => void): void;
  };
  readonly SELECTION_CHANGED_EVENT: string;
  readonly CAMERA_CHANGE_EVENT: string;
  readonly GEOMETRY_LOADED_EVENT: string;
  readonly WEBGL_CONTEXT_LOST_EVENT: string;
}

export interface InitializerOptions {
  readonly env: string;
  readonly api: string;
  readonly language: string;
  readonly useADP: boolean;
  readonly getAccessToken: (onToken: (token: string, expiresInSeconds: number) => void) => void;
}

export interface ViewerDocument {
  getRoot(): { getDefaultGeometry(): object | null };
}

export interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export interface ViewerProperties {
  readonly dbId: number;
  readonly name?: string;
  readonly properties: readonly { readonly displayName: string; readonly displayValue: string | number }[];
}

export interface Viewer {
  /** Returns 0, or an error code if the viewer cannot start, for example without WebGL. */
  start(): number;
  finish(): void;
  resize(): void;
  loadDocumentNode(
    document: ViewerDocument,
    node: object,
    options: { readonly globalOffset: Vector; readonly applyScaling: 'm' },
  ): Promise<object>;
  addEventListener(name: string, listener: (event: { readonly dbIdArray?: readonly number[] }) => void): void;
  select(ids: readonly number[]): void;
  clearSelection(): void;
  fitToView(ids?: readonly number[]): void;
  search(text: string, ok: (ids: readonly number[]) => void, failed: () => void, attributes: readonly string[]): void;
  getProperties(id: number, ok: (properties: ViewerProperties) => void, failed: () => void): void;
  clientToWorld(x: number, y: number): { readonly point: Vector } | null;
  worldToClient(point: Vector): Vector;
  getScreenShot(width: number, height: number, onTaken: (url: string) => void): void;
  setTheme?(theme: 'light-theme' | 'dark-theme'): void;
  readonly navigation: {
    getPosition(): Vector;
    getTarget(): Vector;
    getVerticalFov(): number;
    setView(position: Vector, target: Vector): void;
    setVerticalFov(degrees: number, adjustPosition: boolean): void;
  };
}

declare global {
  interface Window {
    Autodesk?: { readonly Viewing?: ViewerRuntime };
  }
}
