import { injectable } from 'inversify';
import { action, makeObservable, observableRef } from 'mobx';
import { token } from '#core';

/** What a person chose for the panorama, for as long as the page lives. Observable. */
export const PanoramaChoices = token<PanoramaChoices>('vr.PanoramaChoices');
export interface PanoramaChoices {
  readonly showsTags: boolean;
  readonly showsMarkers: boolean;
  setShowsTags(shows: boolean): void;
  setShowsMarkers(shows: boolean): void;
}

@injectable()
export class MobxPanoramaChoices implements PanoramaChoices {
  showsTags = true;
  showsMarkers = true;

  constructor() {
    makeObservable(this, {
      showsTags: observableRef,
      showsMarkers: observableRef,
      setShowsTags: action,
      setShowsMarkers: action,
    });
  }

  setShowsTags(shows: boolean): void {
    this.showsTags = shows;
  }

  setShowsMarkers(shows: boolean): void {
    this.showsMarkers = shows;
  }
}
