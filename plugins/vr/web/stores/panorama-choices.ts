import { injectable } from 'inversify';
import { action, makeObservable, observableRef } from 'mobx';

/** A person's choices for the panorama, for the lifetime of the page. Observable. */
@injectable()
export class PanoramaChoices {
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
