import { inject, injectable } from 'inversify';
import { action, makeObservable, observableRef } from 'mobx';
import { BrowserStorage } from '#core/web';
import type { Coloring } from '../viewer/cloud/cloud-graphics.ts';
import type { ClippingBox } from '../viewer/cloud/tile-reader.ts';

export type ScanWay = 'PICTURE' | 'CLOUD';

const key = 'scan.choices';

/** How a person views scans. Observable. The mode, colours and point size are saved on this device. */
@injectable()
export class ScanChoices {
  way: ScanWay = 'PICTURE';
  coloring: Coloring = 'RGB';
  /** Factor of the point size. */
  size = 1;
  /** Undefined: no clipping. */
  clip: ClippingBox | undefined;
  lookOpen = false;
  readonly #storage: BrowserStorage;

  constructor(@inject(BrowserStorage) storage: BrowserStorage) {
    this.#storage = storage;
    const saved = storage.get<Partial<Pick<ScanChoices, 'way' | 'coloring' | 'size'>>>(key);
    if (saved?.way === 'CLOUD') this.way = saved.way;
    if (saved?.coloring === 'INTENSITY' || saved?.coloring === 'HEIGHT') this.coloring = saved.coloring;
    if (typeof saved?.size === 'number' && saved.size >= 0.5 && saved.size <= 3) this.size = saved.size;
    makeObservable(this, {
      way: observableRef,
      coloring: observableRef,
      size: observableRef,
      clip: observableRef,
      lookOpen: observableRef,
      setWay: action,
      setColoring: action,
      setSize: action,
      setClip: action,
      setLookOpen: action,
      show: action,
    });
  }

  setWay(way: ScanWay): void {
    this.way = way;
    this.#keep();
  }

  setColoring(coloring: Coloring): void {
    this.coloring = coloring;
    this.#keep();
  }

  setSize(size: number): void {
    this.size = size;
    this.#keep();
  }

  setClip(clip: ClippingBox | undefined): void {
    this.clip = clip;
  }

  setLookOpen(open: boolean): void {
    this.lookOpen = open;
  }

  /** Applies the settings of an address without saving them. */
  show(way: ScanWay, cloud?: Pick<ScanChoices, 'coloring' | 'clip'>): void {
    this.way = way;
    if (cloud) Object.assign(this, { coloring: cloud.coloring, clip: cloud.clip });
  }

  #keep(): void {
    const { way, coloring, size } = this;
    this.#storage.set(key, { way, coloring, size });
  }
}
