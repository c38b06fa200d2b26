import { contribute } from '#core';
import type { WebBridge } from '#core/web';
import { locationBackgrounds } from '#plugins/locations';

/** Contributes backgrounds to the screen of a site and to the card of the last tour. */
const bridge: WebBridge = [
  contribute(locationBackgrounds, {
    id: 'media.siteBackground',
    order: 10,
    place: 'screen',
    load: async () => ({ default: (await import('../components/background.tsx')).SiteBackground }),
  }),
  contribute(locationBackgrounds, {
    id: 'media.cardBackground',
    order: 10,
    place: 'card',
    load: async () => ({ default: (await import('../components/background.tsx')).CardBackground }),
  }),
];
export default bridge;
