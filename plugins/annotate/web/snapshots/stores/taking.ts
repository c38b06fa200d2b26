import { action, computed, makeObservable, observableRef } from 'mobx';
import type { SnapshotMark } from '#plugins/annotate';
import type { ViewSurface } from '#plugins/tour';
import type { Shot, SnapshotCamera, TakenPicture } from '../viewer/snapshot-camera.ts';

/** Uids of the items that are visible on one surface. */
export type MarksInSight = ReadonlyMap<string, SnapshotMark>;

export interface TakenView {
  /** The view of the snapshot, in the format of the address. */
  readonly view: string | null;
  readonly node: string | null;
  readonly location: string;
  readonly tour: string;
  readonly tag: string | null;
}

/** A snapshot being taken: the captured surfaces and the selection of what to save. Observable. */
export class Taking {
  state: 'developing' | 'ready' | 'failed' = 'developing';
  /** Id of the module whose half is saved; undefined for the whole screen. */
  half: string | undefined;
  burnMarks = true;
  taken: (TakenPicture & { readonly address: string }) | undefined;
  readonly modules: readonly string[];
  readonly of: TakenView;
  readonly #camera: SnapshotCamera;
  readonly #marks: ReadonlyMap<string, MarksInSight>;
  readonly #shots: Promise<readonly Shot[]>;
  #turn = 0;

  constructor(
    camera: SnapshotCamera,
    surfaces: readonly ViewSurface[],
    marks: (surface: ViewSurface) => MarksInSight,
    of: TakenView,
  ) {
    this.#camera = camera;
    this.of = of;
    this.modules = surfaces.map(({ module }) => module);
    this.#marks = new Map(surfaces.map((surface) => [surface.module, marks(surface)]));
    this.#shots = Promise.all(surfaces.map((surface) => camera.shoot(surface)));
    makeObservable<this, 'setTaken' | 'setFailed'>(this, {
      state: observableRef,
      half: observableRef,
      burnMarks: observableRef,
      taken: observableRef,
      marks: computed,
      chooseHalf: action,
      chooseBurning: action,
      end: action,
      setTaken: action,
      setFailed: action,
    });
    void this.#develop();
  }

  /** The items that are visible in the saved part. */
  get marks(): readonly SnapshotMark[] {
    const halves = this.modules.filter((module) => this.half === undefined || module === this.half);
    return [...new Map(halves.flatMap((module) => [...(this.#marks.get(module) ?? [])])).values()];
  }

  /** `undefined` selects the whole screen. */
  chooseHalf(module: string | undefined): void {
    this.half = module;
    void this.#develop();
  }

  chooseBurning(burnMarks: boolean): void {
    this.burnMarks = burnMarks;
    void this.#develop();
  }

  /** Frees the preview. */
  end(): void {
    this.#turn += 1;
    if (this.taken) URL.revokeObjectURL(this.taken.address);
    this.taken = undefined;
  }

  async #develop(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    try {
      const shots = await this.#shots;
      const taken = await this.#camera.develop(
        this.half === undefined ? shots : shots.filter(({ module }) => module === this.half),
        this.burnMarks,
      );
      if (turn === this.#turn) this.setTaken(taken);
    } catch {
      if (turn === this.#turn) this.setFailed();
    }
  }

  private setTaken(taken: TakenPicture): void {
    if (this.taken) URL.revokeObjectURL(this.taken.address);
    this.taken = { ...taken, address: URL.createObjectURL(taken.picture) };
    this.state = 'ready';
  }

  private setFailed(): void {
    this.state = 'failed';
  }
}
