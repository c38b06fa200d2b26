import { injectable } from 'inversify';
import { action, makeObservable, observableRef } from 'mobx';

/** The observable choices of a person for the panorama. They last until the page is closed. */
@injectable()
export class PanoramaChoices {
  showsTags = true;
  showsMarkers = true;
  /** Whether the view follows the orientation of the device. Reset when the panorama leaves the screen. */
  followsDevice = false;

  constructor() {
    makeObservable(this, {
      showsTags: observableRef,
      showsMarkers: observableRef,
      followsDevice: observableRef,
      setShowsTags: action,
      setShowsMarkers: action,
      setFollowsDevice: action,
    });
  }

  setShowsTags(isVisible: boolean): void {
    this.showsTags = isVisible;
  }

  setShowsMarkers(isVisible: boolean): void {
    this.showsMarkers = isVisible;
  }

  setFollowsDevice(followsDevice: boolean): void {
    this.followsDevice = followsDevice;
  }
}
