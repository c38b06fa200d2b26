import { inject, injectable } from 'inversify';
import { action, makeObservable, observableRef } from 'mobx';
import { BrowserStorage } from '#core/web';
import type { Coloring } from '../viewer/cloud/cloud-graphics.ts';
import type { ClippingBox } from '../viewer/cloud/tile-reader.ts';

export type ScanMode = 'PICTURE' | 'CLOUD';

const storageKey = 'scan.choices';

/** The stored shape, in which the mode has the key `way`. */
interface StoredChoices {
  readonly way: ScanMode;
  readonly coloring: Coloring;
  readonly size: number;
}

/** The observable settings of the scan view. Mode, colours and point size are saved on this device. */
@injectable()
export class ScanChoices {
  mode: ScanMode = 'PICTURE';
  coloring: Coloring = 'RGB';
  /** Factor of the point size. */
  size = 1;
  /** Undefined if the point cloud is not clipped. */
  clip: ClippingBox | undefined;
  appearanceOpen = false;
  readonly #storage: BrowserStorage;

  constructor(@inject(BrowserStorage) storage: BrowserStorage) {
    this.#storage = storage;
    const savedChoices = storage.get<Partial<StoredChoices>>(storageKey);
    if (savedChoices?.way === 'CLOUD') this.mode = savedChoices.way;
    if (savedChoices?.coloring === 'INTENSITY' || savedChoices?.coloring === 'HEIGHT')
      this.coloring = savedChoices.coloring;
    if (typeof savedChoices?.size === 'number' && savedChoices.size >= 0.5 && savedChoices.size <= 3)
      this.size = savedChoices.size;
    makeObservable(this, {
      mode: observableRef,
      coloring: observableRef,
      size: observableRef,
      clip: observableRef,
      appearanceOpen: observableRef,
      setMode: action,
      setColoring: action,
      setSize: action,
      setClip: action,
      setAppearanceOpen: action,
      applySettings: action,
    });
  }

  setMode(mode: ScanMode): void {
    this.mode = mode;
    this.#save();
  }

  setColoring(coloring: Coloring): void {
    this.coloring = coloring;
    this.#save();
  }

  setSize(size: number): void {
    this.size = size;
    this.#save();
  }

  setClip(clip: ClippingBox | undefined): void {
    this.clip = clip;
  }

  setAppearanceOpen(open: boolean): void {
    this.appearanceOpen = open;
  }

  /** Applies the settings of a URL without saving them. */
  applySettings(mode: ScanMode, cloud?: Pick<ScanChoices, 'coloring' | 'clip'>): void {
    this.mode = mode;
    if (cloud) Object.assign(this, { coloring: cloud.coloring, clip: cloud.clip });
  }

  #save(): void {
    const { mode, coloring, size } = this;
    this.#storage.set(storageKey, { way: mode, coloring, size } satisfies StoredChoices);
  }
}
