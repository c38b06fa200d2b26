import type { SettingsOf } from '#core';
import type { Caller, ServerContext } from '#core/server';
import { formQuestions, type FormQuestion, type TourFormDefinition } from '#plugins/feedback';
import { Masters, type MasterTypeCode } from '#plugins/masters';
import { Tours } from '#plugins/tour';
import type manifest from '../../plugin.ts';
import type { FeedbackTables } from '../tables.ts';

export type FeedbackContext = Pick<
  ServerContext<FeedbackTables, SettingsOf<typeof manifest>>,
  'tables' | 'settings' | 'service'
>;

const masterTypeByQuestion: Record<FormQuestion, MasterTypeCode> = { typeOfWork: 'TYPE_OF_WORK', activity: 'ACTIVITY' };

/** Loads the questions that the caller must answer before the tour of a location. @throws 404 without a tour */
export async function loadTourForm(
  context: FeedbackContext,
  caller: Caller,
  location: string,
): Promise<TourFormDefinition> {
  const tour = await context.service(Tours).tourAt(location);
  const [remaining, questions, unratedForm] = await Promise.all([
    loadRemainingMs(context, caller, tour),
    loadQuestions(context),
    context.settings.ratings ? findUnratedForm(context, caller, tour) : null,
  ]);
  return { remaining, questions, unratedForm };
}

/** Loads the questions that have choices, in the order of the form. */
export async function loadQuestions(context: FeedbackContext): Promise<TourFormDefinition['questions']> {
  const masters = context.service(Masters);
  const questions = await Promise.all(
    formQuestions
      .slice(0, context.settings.dropdowns)
      .map(async (name) => ({ name, choices: [...(await masters.listActive(masterTypeByQuestion[name]))] })),
  );
  return questions.filter(({ choices }) => choices.length > 0);
}

/** Loads the milliseconds for which the caller's last answer for a tour stays valid. */
export async function loadRemainingMs(context: FeedbackContext, caller: Caller, tour: string): Promise<number> {
  const latestForm = await context.tables
    .selectFrom('form')
    .select('valid_until')
    .where('author', '=', caller.uid)
    .where('tour', '=', tour)
    .orderBy('valid_until', 'desc')
    .limit(1)
    .executeTakeFirst();
  return latestForm ? Math.max(0, latestForm.valid_until.getTime() - Date.now()) : 0;
}

async function findUnratedForm(context: FeedbackContext, caller: Caller, tour: string): Promise<string | null> {
  const latestForm = await context.tables
    .selectFrom('form')
    .select(['uid', 'rated_at'])
    .where('author', '=', caller.uid)
    .where('tour', '=', tour)
    .orderBy('answered_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return latestForm && latestForm.rated_at === null ? latestForm.uid : null;
}
