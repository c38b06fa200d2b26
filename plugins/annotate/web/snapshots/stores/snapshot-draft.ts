import { action, computed, makeObservable, observableRef } from 'mobx';
import type { SnapshotMark } from '#plugins/annotate';
import type { ViewSurface } from '#plugins/tour';
import type { SurfaceCapture, SnapshotCamera, SnapshotPicture } from '../viewer/snapshot-camera.ts';

/** The items that one surface draws, by uid. */
export type SurfaceMarks = ReadonlyMap<string, SnapshotMark>;

export interface SnapshotOrigin {
  /** The view of the snapshot, encoded as in the URL. */
  readonly view: string | null;
  readonly node: string | null;
  readonly location: string;
  readonly tour: string;
  readonly tag: string | null;
}

/** A snapshot that a person is taking: the captured surfaces, and which of them to save. */
export class SnapshotDraft {
  state: 'loading' | 'ready' | 'failed' = 'loading';
  /** Id of the tour module whose half of the screen is saved. Undefined for the whole screen. */
  half: string | undefined;
  includesMarks = true;
  preview: (SnapshotPicture & { readonly url: string }) | undefined;
  readonly modules: readonly string[];
  readonly origin: SnapshotOrigin;
  readonly #camera: SnapshotCamera;
  readonly #marks: ReadonlyMap<string, SurfaceMarks>;
  readonly #captures: Promise<readonly SurfaceCapture[]>;
  #generation = 0;

  constructor(
    camera: SnapshotCamera,
    surfaces: readonly ViewSurface[],
    findMarks: (surface: ViewSurface) => SurfaceMarks,
    origin: SnapshotOrigin,
  ) {
    this.#camera = camera;
    this.origin = origin;
    this.modules = surfaces.map(({ module }) => module);
    this.#marks = new Map(surfaces.map((surface) => [surface.module, findMarks(surface)]));
    this.#captures = Promise.all(surfaces.map((surface) => camera.captureSurface(surface)));
    makeObservable<this, 'setPreview' | 'setFailed'>(this, {
      state: observableRef,
      half: observableRef,
      includesMarks: observableRef,
      preview: observableRef,
      marks: computed,
      setHalf: action,
      setIncludesMarks: action,
      dispose: action,
      setPreview: action,
      setFailed: action,
    });
    void this.#updatePreview();
  }

  /** The items that are drawn in the part of the screen to save. */
  get marks(): readonly SnapshotMark[] {
    const halves = this.modules.filter((module) => this.half === undefined || module === this.half);
    return [...new Map(halves.flatMap((module) => [...(this.#marks.get(module) ?? [])])).values()];
  }

  /** Selects the half of a tour module, or with undefined the whole screen. */
  setHalf(module: string | undefined): void {
    this.half = module;
    void this.#updatePreview();
  }

  setIncludesMarks(includesMarks: boolean): void {
    this.includesMarks = includesMarks;
    void this.#updatePreview();
  }

  /** Frees the preview. */
  dispose(): void {
    this.#generation += 1;
    if (this.preview) URL.revokeObjectURL(this.preview.url);
    this.preview = undefined;
  }

  async #updatePreview(): Promise<void> {
    this.#generation += 1;
    const generation = this.#generation;
    try {
      const captures = await this.#captures;
      const preview = await this.#camera.mergeCaptures(
        this.half === undefined ? captures : captures.filter(({ module }) => module === this.half),
        this.includesMarks,
      );
      if (generation === this.#generation) this.setPreview(preview);
    } catch {
      if (generation === this.#generation) this.setFailed();
    }
  }

  private setPreview(preview: SnapshotPicture): void {
    if (this.preview) URL.revokeObjectURL(this.preview.url);
    this.preview = { ...preview, url: URL.createObjectURL(preview.picture) };
    this.state = 'ready';
  }

  private setFailed(): void {
    this.state = 'failed';
  }
}
