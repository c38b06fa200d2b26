import { serverPlugin } from '#core/server';
import { answerTourForm, getTourForm } from '../contract/api.ts';
import type manifest from '../plugin.ts';
import { createForm } from './migrations/0001-create-form.ts';
import { saveForm } from './commands/save-form.ts';
import { loadTourForm } from './queries/tour-form.ts';
import type { FeedbackTables } from './tables.ts';

export default serverPlugin<typeof manifest, FeedbackTables>()({
  migrations: [createForm],
  api: (api, context) => {
    api.serve(getTourForm, ({ caller, params }) => loadTourForm(context, caller, params.location));
    api.serve(answerTourForm, async ({ caller, params, body }) => ({
      remaining: await saveForm(context, caller, params.location, params.uid, body),
    }));
  },
});
