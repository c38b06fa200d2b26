import { token } from '#core';
import type { EyeView } from './camera-controller.ts';
import type { PanoramaView } from './panorama-engine.ts';
import type { TourFailure } from '../services.ts';

declare global {
  /** The browser's; contracts are compiled without its types. */
  interface AbortSignal {}
}

/** Why a viewer cannot show what it should. */
export type ViewerFailure = TourFailure | 'noWebGl';

/**
 * - `loading`: what was asked for is not on screen yet.
 * - `ready`: it is on screen. A lost context does not change that: `Viewer.contextLost`.
 * - `empty`: there is nothing to show here.
 * - `failed`: it cannot be shown.
 *
 * `Reason`: those of one viewer, besides `ViewerFailure`.
 */
export type ViewerStatus<Reason extends string = never> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready' }
  | { readonly state: 'empty' | 'failed'; readonly reason: Reason | ViewerFailure };

/** What draws, with a WebGL context of its own. */
export interface ViewerEngine {
  /** The graphics card was taken away and has not come back. */
  readonly lost: boolean;
  on(event: 'contextLost' | 'contextRestored', listener: () => void): () => void;
}

export interface ViewerStart<Engine extends ViewerEngine> {
  /** Makes the engine, or throws `WebGlUnavailable`. */
  readonly open: () => Engine | Promise<Engine>;
  /** Called once the engine is there. Returns what ends it, called in the reverse order. */
  readonly enter: (engine: Engine) => readonly (() => void)[];
  /** Called instead of `enter` where the viewer left the screen while the engine was made. */
  readonly discard?: (engine: Engine) => void;
  /** Loads what is shown again; for `retry`. */
  readonly reload: () => void;
}

/** The camera of a viewer, as the tour moves it. */
export interface ViewerCamera {
  /** At once, without a report. `position` only for cameras without a `place`. */
  setView(view: Partial<EyeView>): void;
  /** Eased. */
  turnTo(view: Partial<PanoramaView>): void;
  /** For cameras that cannot move freely: observable, another value for each place. */
  place?(): unknown;
  /** The place is another. `view`: where to look there; undefined: as before. */
  goTo?(view: Partial<PanoramaView> | undefined): void;
}

/** What all viewers of the tour have in common: their status, their engine's life, and the view they share. Observable. */
export interface Viewer<Reason extends string = never> {
  readonly status: ViewerStatus<Reason>;
  /** The graphics card was taken away and has not come back. */
  readonly contextLost: boolean;
  /** Parts of what is on screen could not be fetched. */
  readonly partsMissing: boolean;
  /** Of the running or the last `load`: aborted when another begins, and when the viewer leaves the screen. */
  readonly signal: AbortSignal;
  setStatus(status: ViewerStatus<Reason>): void;
  setPartsMissing(missing: boolean): void;
  /** Opens the engine and follows its context. Returns the function that ends everything. */
  start<Engine extends ViewerEngine>(start: ViewerStart<Engine>): () => void;
  /** Opens the engine again if that failed, else reloads. */
  retry(): void;
  /**
   * Runs `task` with status `loading`; ends the one before. Its result becomes the status, as does its error;
   * undefined: the task has set the status, or something else will.
   */
  load(task: (signal: AbortSignal) => Promise<ViewerStatus<Reason> | undefined>): Promise<void>;
  /** Moves the camera as the tour and other viewers do, from where the tour is now. Returns the function that stops it. */
  follow(camera: ViewerCamera): () => void;
  /** The person looks, and with `position` stands, here. A view that the tour has already changes nothing. */
  report(view: PanoramaView & Partial<EyeView>): void;
}

export interface ViewerOptions<Reason extends string> {
  /** Id of the tour module. */
  readonly module: string;
  /** Why a load failed, where the viewer knows more than the kind of the failure. */
  readonly formatReason?: (error: unknown) => Reason | undefined;
}

/** Makes the common part of viewers. */
export const Viewers = token<Viewers>('tour.Viewers');
export interface Viewers {
  create<Reason extends string = never>(options: ViewerOptions<Reason>): Viewer<Reason>;
}
