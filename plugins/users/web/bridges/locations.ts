import { contribute } from '#core';
import type { WebBridge } from '#core/web';
import { setUpSteps } from '#plugins/locations';
import { userList } from '../../contract/index.ts';

const bridge: WebBridge = [
  contribute(setUpSteps, {
    id: 'users.people',
    order: 60,
    access: 'userManagement',
    title: 'users.setUp.step',
    to: userList,
  }),
];
export default bridge;
