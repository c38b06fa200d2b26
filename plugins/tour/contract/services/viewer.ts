import { token } from '#core';
import type { CameraView } from './camera-controller.ts';
import type { PanoramaTransition, PanoramaView } from './panorama-engine.ts';
import type { TourNode } from '../api.ts';
import type { TourFailure } from '../services.ts';

declare global {
  /** Placeholder for the browser's type, because contracts are compiled without DOM types. */
  interface AbortSignal {}
}

/** Why a viewer cannot show its content. */
export type ViewerFailure = TourFailure | 'noWebGl';

/**
 * - `loading`: the requested content is not on screen yet.
 * - `ready`: it is on screen. A lost context does not change the status, see `Viewer.contextLost`.
 * - `empty`: there is nothing to show.
 * - `failed`: it cannot be shown.
 *
 * `Reason` adds reasons of one viewer to `ViewerFailure`.
 */
export type ViewerStatus<Reason extends string = never> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready' }
  | { readonly state: 'empty' | 'failed'; readonly reason: Reason | ViewerFailure };

/** A renderer with its own WebGL context. */
export interface ViewerEngine {
  /** True from the loss of the WebGL context until it is restored. */
  readonly lost: boolean;
  on(event: 'contextLost' | 'contextRestored', listener: () => void): () => void;
}

export interface ViewerStart<Engine extends ViewerEngine> {
  /** Creates the engine. Throws `WebGlUnavailable`. */
  readonly open: () => Engine | Promise<Engine>;
  /** Called once the engine exists. Returns cleanup functions, called in reverse order. */
  readonly enter: (engine: Engine) => readonly (() => void)[];
  /** Called instead of `enter` if the viewer was unmounted while the engine was created. */
  readonly discard?: (engine: Engine) => void;
  /** Reloads the content. Called by `retry`. */
  readonly reload: () => void;
}

/** The camera of a viewer, as moved by the tour. */
export interface ViewerCamera {
  /**
   * Sets the view at once. It must not call `Viewer.report`. `position` is set only for cameras without a `viewpoint`.
   */
  setView(view: Partial<CameraView>): void;
  /** Turns with easing. */
  turnTo(view: Partial<PanoramaView>): void;
  /**
   * Identifies the current viewpoint, for cameras that are bound to viewpoints: any value that changes with it.
   * Observable.
   */
  viewpoint?(): unknown;
  /** Called when `viewpoint` changes. An undefined direction keeps the current one. */
  moveToViewpoint?(directionOnArrival: Partial<PanoramaView> | undefined): void;
}

/** The common part of all viewers, with status, engine lifecycle and shared view. Observable. */
export interface Viewer<Reason extends string = never> {
  readonly status: ViewerStatus<Reason>;
  /** True from the loss of the WebGL context until it is restored. */
  readonly contextLost: boolean;
  /** True if parts of the picture could not be fetched. */
  readonly partsMissing: boolean;
  /** The node whose picture is on screen, also while the next one loads. Only for cameras that are bound to viewpoints. */
  readonly nodeOnScreen: TourNode | undefined;
  /** A node whose picture could not be loaded, so that the tour went back to the node on screen. */
  readonly unreachableNode: TourNode | undefined;
  /** Signal of the running or last `load`: aborted when another begins, and when the viewer is unmounted. */
  readonly signal: AbortSignal;
  setStatus(status: ViewerStatus<Reason>): void;
  setPartsMissing(missing: boolean): void;
  /**
   * Records that a node is requested, and returns the transition from the one before: a walk along a link, else a fade,
   * because decks or walls may be in between.
   */
  beginTransition(node: TourNode): PanoramaTransition;
  /** Called when the picture of a node is on screen. */
  setNodeOnScreen(node: TourNode): void;
  /**
   * Call it if the picture of the current node cannot be loaded. Goes back to the node on screen, so that the tour
   * shows the name of the visible node. Does nothing and returns false in two cases: no other node is on screen, or the
   * view is split, because the other half may have the picture.
   */
  returnToNodeOnScreen(): boolean;
  /** Tries again to go to the unreachable node. */
  goToUnreachableNode(): void;
  /** Closes the notice about the unreachable node. */
  dismissUnreachableNode(): void;
  /** Opens the engine and observes its context. Returns the function that ends everything. */
  start<Engine extends ViewerEngine>(start: ViewerStart<Engine>): () => void;
  /** Reopens the engine if that failed, else reloads. */
  retry(): void;
  /**
   * Runs `task` with status `loading` and aborts the previous one. Its result or error becomes the status; if the
   * result is undefined, the task sets the status itself.
   */
  load(task: (signal: AbortSignal) => Promise<ViewerStatus<Reason> | undefined>): Promise<void>;
  /**
   * Moves the camera with the tour and other viewers, starting at the tour's view. Returns the function that stops
   * it.
   */
  follow(camera: ViewerCamera): () => void;
  /** Reports a view that the person chose and, if set, the position. Ignored if the tour already has this view. */
  report(view: PanoramaView & Partial<CameraView>): void;
}

export interface ViewerOptions<Reason extends string> {
  /** Id of the tour module. */
  readonly module: string;
  /** Converts an error of a load to a more specific reason. */
  readonly formatReason?: (error: unknown) => Reason | undefined;
}

/** Creates the common part of viewers. */
export const Viewers = token<Viewers>('tour.Viewers');
export interface Viewers {
  create<Reason extends string = never>(options: ViewerOptions<Reason>): Viewer<Reason>;
}
