import { contribute } from '#core';
import type { WebBridge } from '#core/web';
import { locationScreens } from '#plugins/locations';
import type { listTourLocations } from '../../contract/api.ts';
import { tourView } from '../../contract/index.ts';

/** Units open their tour. */
const bridge: WebBridge = [
  contribute(locationScreens, {
    id: 'tour.unit',
    order: 10,
    to: tourView,
    listLocations: (http, signal) => http.call<typeof listTourLocations>('GET', '/api/tour-locations', {}, { signal }),
  }),
];
export default bridge;
