import { contribute } from '#core';
import type { WebBridge } from '#core/web';
import { locationScreens, setUpSteps } from '#plugins/locations';
import type { listTourLocations } from '../../contract/api.ts';
import { contentAdmin, tagsAdmin, tourView } from '../../contract/index.ts';

/** Units open their tour. Decks, viewpoints, alignment and tags are steps of the set-up. */
const bridge: WebBridge = [
  contribute(locationScreens, {
    id: 'tour.unit',
    order: 10,
    to: tourView,
    listLocations: (http, signal) => http.call<typeof listTourLocations>('GET', '/api/tour-locations', {}, { signal }),
  }),
  ...(['decks', 'viewpoints', 'align', 'tags'] as const).map((step, index) =>
    contribute(setUpSteps, {
      id: `tour.${step}`,
      order: 20 + 10 * index,
      access: 'configure',
      title: `tour.setUp.${step}`,
      to: step === 'tags' ? tagsAdmin : contentAdmin,
    }),
  ),
];
export default bridge;
