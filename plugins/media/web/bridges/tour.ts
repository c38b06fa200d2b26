import { contribute } from '#core';
import type { WebBridge } from '#core/web';
import { tourBackdrops } from '#plugins/tour';

/** The background of a tour while it loads. */
const bridge: WebBridge = [
  contribute(tourBackdrops, {
    id: 'media.tourBackdrop',
    order: 10,
    load: async () => ({ default: (await import('../components/backdrop.tsx')).TourBackdrop }),
  }),
];
export default bridge;
