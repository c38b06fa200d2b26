import { contribute } from '#core';
import type { WebBridge } from '#core/web';
import { locationScreens } from '#plugins/locations';
import { tourView } from '../../contract/index.ts';

/** Units open their tour. */
const bridge: WebBridge = [contribute(locationScreens, { id: 'tour.unit', order: 10, to: tourView })];
export default bridge;
