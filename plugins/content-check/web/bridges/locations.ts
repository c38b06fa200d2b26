import { contribute } from '#core';
import type { WebBridge } from '#core/web';
import { setUpSteps } from '#plugins/locations';
import { contentCheck } from '../../contract/index.ts';

const bridge: WebBridge = [
  contribute(setUpSteps, {
    id: 'content-check.step',
    order: 70,
    access: 'configure',
    title: 'content-check.setUp.step',
    to: contentCheck,
  }),
];
export default bridge;
