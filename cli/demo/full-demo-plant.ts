import type { DemoPlant } from '#core';
import type { LocationsDemo } from '#plugins/locations';
import type { ModelDemo } from '#plugins/model-3d';
import type { ScanDemo } from '#plugins/scan';
import type { TourDemo } from '#plugins/tour';
import type { VrDemo } from '#plugins/vr';

/** The demo plant with the data of every plugin. */
export type FullDemoPlant = Omit<DemoPlant, 'locations'> &
  LocationsDemo &
  TourDemo &
  Partial<VrDemo & ScanDemo & ModelDemo>;
