import { contribute } from '#core';
import type { WebBridge } from '#core/web';
import { tourBackgrounds } from '#plugins/tour';

/** Contributes the background that is shown while a tour loads. */
const bridge: WebBridge = [
  contribute(tourBackgrounds, {
    id: 'media.tourBackground',
    order: 10,
    load: async () => ({ default: (await import('../components/background.tsx')).TourBackground }),
  }),
];
export default bridge;
