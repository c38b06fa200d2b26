import { injectable } from 'inversify';
import { action, makeObservable, observableRef } from 'mobx';
import { token } from '#core';

/** What a person chose for the panorama, for as long as the page lives. Observable. */
export const PanoramaChoices = token<PanoramaChoices>('vr.PanoramaChoices');
export interface PanoramaChoices {
  readonly showsTags: boolean;
  setShowsTags(shows: boolean): void;
}

@injectable()
export class MobxPanoramaChoices implements PanoramaChoices {
  showsTags = true;

  constructor() {
    makeObservable(this, { showsTags: observableRef, setShowsTags: action });
  }

  setShowsTags(shows: boolean): void {
    this.showsTags = shows;
  }
}
