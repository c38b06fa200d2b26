import { injectable } from 'inversify';
import { action, computed, makeObservable, observableRef } from 'mobx';
import { clampFov, clampTilt, normalizePan, type ViewType } from '#core';
import type { PanoramaView, TourTools } from '#plugins/tour';

type Configurations = TourTools['viewConfigurations'];

const firstView: PanoramaView = { pan: 0, tilt: 0, fov: 75 };
const initial = (): Pick<TourTools, 'mode' | 'panoFilePath' | 'viewConfigurations' | 'wanted'> => ({
  mode: 'PANO',
  panoFilePath: undefined,
  viewConfigurations: { scan: { ...firstView, scanId: undefined }, panorama: { ...firstView, panoCode: undefined } },
  wanted: undefined,
});

/** Which of the two configurations a mode writes to; the model has none of its own and shares the panorama's direction. */
const configurationOf = (mode: ViewType): keyof Configurations => (mode === 'TRU_VIEW' ? 'scan' : 'panorama');

@injectable()
export class MobxTourTools implements TourTools {
  mode: ViewType = initial().mode;
  panoFilePath: string | undefined = initial().panoFilePath;
  viewConfigurations: Configurations = initial().viewConfigurations;
  wanted: TourTools['wanted'] = initial().wanted;

  constructor() {
    makeObservable<this>(this, {
      mode: observableRef,
      panoFilePath: observableRef,
      viewConfigurations: observableRef,
      wanted: observableRef,
      view: computed,
      setMode: action,
      setView: action,
      look: action,
      setPanorama: action,
      setScan: action,
      reset: action,
    });
  }

  get view(): PanoramaView {
    const { pan, tilt, fov } = this.viewConfigurations[configurationOf(this.mode)];
    return { pan, tilt, fov };
  }

  setMode(mode: ViewType): void {
    const { view } = this;
    this.mode = mode;
    this.setView(view);
  }

  setView(view: Partial<PanoramaView>): void {
    const { pan, tilt, fov } = { ...this.view, ...view };
    const next = { pan: normalizePan(pan), tilt: clampTilt(tilt), fov: clampFov(fov) };
    const { scan, panorama } = this.viewConfigurations;
    this.viewConfigurations = configurationOf(this.mode) === 'scan' ? { scan: { ...scan, ...next }, panorama } : { scan, panorama: { ...panorama, ...next } };
  }

  look(view: Partial<PanoramaView>, turn: boolean): void {
    this.wanted = { ...view, turn };
  }

  setPanorama(panoCode: string | undefined, filePath: string | undefined): void {
    const { scan, panorama } = this.viewConfigurations;
    this.viewConfigurations = { scan, panorama: { ...panorama, panoCode } };
    this.panoFilePath = filePath;
  }

  setScan(scanId: string | undefined): void {
    const { scan, panorama } = this.viewConfigurations;
    this.viewConfigurations = { scan: { ...scan, scanId }, panorama };
  }

  reset(): void {
    Object.assign(this, initial());
  }
}
