import { ContentChecks, type ServerBridge } from '#core/server';
import { SetUpSteps, type SetUpState } from '#plugins/locations';

const toSetUpState = (locationCount: number, findingCount: number): SetUpState => {
  if (locationCount === 0) return 'TODO';
  return findingCount === 0 ? 'DONE' : 'STARTED';
};

/** Adds the set-up step of the content check, which is done once there are no findings. */
const bridge: ServerBridge = (_api, context) =>
  context.service(SetUpSteps).register({
    steps: ['content-check.step'],
    read: async (locations) => {
      const results = await context.service(ContentChecks).count(locations);
      const count = results.reduce((sum, result) => sum + result.count, 0);
      return [
        {
          id: 'content-check.step',
          state: toSetUpState(locations.length, count),
          detail: { message: 'content-check.setUp.count', values: { count } },
        },
      ];
    },
  });
export default bridge;
