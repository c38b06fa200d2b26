import { injectable } from 'inversify';
import { action, makeObservable, observableRef } from 'mobx';

/** The observable choices of a person for the panorama. They last until the page is closed. */
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

  setShowsTags(isVisible: boolean): void {
    this.showsTags = isVisible;
  }

  setShowsMarkers(isVisible: boolean): void {
    this.showsMarkers = isVisible;
  }
}
