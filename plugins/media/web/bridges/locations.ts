import { contribute } from '#core';
import type { WebBridge } from '#core/web';
import { locationBackdrops } from '#plugins/locations';

/** Backgrounds on the screen of a site, and on the card of the last tour. */
const bridge: WebBridge = [
  contribute(locationBackdrops, {
    id: 'media.siteBackdrop',
    order: 10,
    place: 'screen',
    load: async () => ({ default: (await import('../components/backdrop.tsx')).SiteBackdrop }),
  }),
  contribute(locationBackdrops, {
    id: 'media.cardBackdrop',
    order: 10,
    place: 'card',
    load: async () => ({ default: (await import('../components/backdrop.tsx')).CardBackdrop }),
  }),
];
export default bridge;
