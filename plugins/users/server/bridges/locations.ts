import { PeopleLists, type ServerBridge } from '#core/server';
import { SetUpSteps } from '#plugins/locations';

/** Adds the set-up step for users, which is done once someone besides the first admin exists. */
const bridge: ServerBridge = (_api, context) =>
  context.service(SetUpSteps).register({
    steps: ['users.people'],
    read: async () => {
      const { total } = await context.service(PeopleLists).list({ limit: 1 });
      return [
        {
          id: 'users.people',
          state: total > 1 ? 'DONE' : 'TODO',
          detail: { message: 'users.setUp.count', values: { count: total } },
        },
      ];
    },
  });
export default bridge;
