import { ContentChecks, type ServerBridge } from '#core/server';
import { SetUpSteps, type SetUpState } from '#plugins/locations';

const toState = (locations: number, findings: number): SetUpState => {
  if (locations === 0) return 'TODO';
  return findings === 0 ? 'DONE' : 'STARTED';
};

/** The step of the content check in the set-up list: done without findings. */
const bridge: ServerBridge = (_api, context) =>
  context.service(SetUpSteps).register({
    steps: ['content-check.step'],
    read: async (locations) => {
      const results = await context.service(ContentChecks).count(locations);
      const count = results.reduce((sum, result) => sum + result.count, 0);
      return [
        {
          id: 'content-check.step',
          state: toState(locations.length, count),
          detail: { message: 'content-check.setUp.count', values: { count } },
        },
      ];
    },
  });
export default bridge;
