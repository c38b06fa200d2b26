import { injectable } from 'inversify';
import { action, computed, makeObservable, observableRef } from 'mobx';
import { clampFov, clampTilt, normalizePan, type Point3, type ViewType } from '#core';
import type { PanoramaView, TourTools } from '#plugins/tour';

type Configurations = TourTools['viewConfigurations'];

const firstView: PanoramaView = { pan: 0, tilt: 0, fov: 75 };
const createInitialState = (): Pick<
  TourTools,
  'mode' | 'panoFilePath' | 'viewConfigurations' | 'requestedView' | 'position' | 'viewAuthor' | 'positionAuthor'
> => ({
  mode: 'PANO',
  panoFilePath: undefined,
  viewConfigurations: { scan: firstView, panorama: { ...firstView, panoCode: undefined } },
  requestedView: undefined,
  position: undefined,
  viewAuthor: undefined,
  positionAuthor: undefined,
});

/** Returns the configuration that a mode uses. The 3D model uses the configuration of the panorama. */
const toConfigurationKey = (mode: ViewType): keyof Configurations => (mode === 'TRU_VIEW' ? 'scan' : 'panorama');

@injectable()
export class MobxTourTools implements TourTools {
  mode: ViewType = createInitialState().mode;
  panoFilePath: string | undefined = createInitialState().panoFilePath;
  viewConfigurations: Configurations = createInitialState().viewConfigurations;
  requestedView: TourTools['requestedView'] = createInitialState().requestedView;
  position: Point3 | undefined = createInitialState().position;
  viewAuthor: string | undefined = createInitialState().viewAuthor;
  positionAuthor: string | undefined = createInitialState().positionAuthor;

  constructor() {
    makeObservable<this>(this, {
      mode: observableRef,
      panoFilePath: observableRef,
      viewConfigurations: observableRef,
      requestedView: observableRef,
      position: observableRef,
      viewAuthor: observableRef,
      positionAuthor: observableRef,
      view: computed,
      setMode: action,
      setView: action,
      setPosition: action,
      look: action,
      setPanorama: action,
      reset: action,
    });
  }

  get view(): PanoramaView {
    const { pan, tilt, fov } = this.viewConfigurations[toConfigurationKey(this.mode)];
    return { pan, tilt, fov };
  }

  setMode(mode: ViewType): void {
    const { view } = this;
    this.mode = mode;
    this.setView(view, this.viewAuthor);
  }

  setView(view: Partial<PanoramaView>, author?: string): void {
    const previous = this.view;
    const { pan, tilt, fov } = { ...previous, ...view };
    const normalizedView = { pan: normalizePan(pan), tilt: clampTilt(tilt), fov: clampFov(fov) };
    // A following viewer echoes the view. Echoes are ignored so that the author stays unchanged.
    if (
      normalizedView.pan === previous.pan &&
      normalizedView.tilt === previous.tilt &&
      normalizedView.fov === previous.fov
    )
      return;
    this.viewAuthor = author;
    const { scan, panorama } = this.viewConfigurations;
    this.viewConfigurations =
      toConfigurationKey(this.mode) === 'scan'
        ? { scan: normalizedView, panorama }
        : { scan, panorama: { ...panorama, ...normalizedView } };
  }

  setPosition(position: Point3, author?: string): void {
    this.position = position;
    this.positionAuthor = author;
  }

  look(view: Partial<PanoramaView>, turn: boolean): void {
    this.requestedView = { ...view, turn };
  }

  setPanorama(panoCode: string | undefined, filePath: string | undefined): void {
    const { scan, panorama } = this.viewConfigurations;
    this.viewConfigurations = { scan, panorama: { ...panorama, panoCode } };
    this.panoFilePath = filePath;
  }

  reset(): void {
    Object.assign(this, createInitialState());
  }
}
