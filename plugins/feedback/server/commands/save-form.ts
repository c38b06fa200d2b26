import { validationMessages, type FieldError } from '#core';
import { invalidRequest, notFound, type Caller } from '#core/server';
import { formQuestions, type AnsweredForm, type TourForm } from '#plugins/feedback';
import { Tours } from '#plugins/tour';
import { loadQuestions, remainingFor, type FeedbackContext } from '../queries/tour-form.ts';

/**
 * Saves an answered form; returns the milliseconds for which it is valid. Throws 400 with the invalid fields, 404 for
 * the uid of another person's form.
 */
export async function saveForm(
  context: FeedbackContext,
  caller: Caller,
  location: string,
  uid: string,
  answers: AnsweredForm,
): Promise<number> {
  const tour = await context.service(Tours).tourAt(location);
  const { tables } = context;
  const saved = await tables.selectFrom('form').select(['author', 'tour']).where('uid', '=', uid).executeTakeFirst();
  if (saved && (saved.author !== caller.uid || saved.tour !== tour)) throw notFound('This form');
  // A repeated call is answered with the saved form, even if a choice has been removed since, because the first reply
  // may have been lost.
  if (saved) return remainingFor(context, caller, tour);
  const wrong = findRefusals(await loadQuestions(context), context.settings.ratings, answers);
  if (wrong.length > 0) throw invalidRequest('The form cannot be kept as it is.', wrong);
  const now = new Date();
  await tables
    .insertInto('form')
    .values({
      uid,
      author: caller.uid,
      tour,
      location,
      type_of_work: answers.typeOfWork || null,
      activity: answers.activity || null,
      rating: answers.rating,
      answered_at: now,
      valid_until: new Date(now.getTime() + context.settings.validFor),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return remainingFor(context, caller, tour);
}

function findRefusals(
  questions: TourForm['questions'],
  ratings: boolean,
  answers: AnsweredForm,
): readonly FieldError[] {
  const wrong: FieldError[] = [];
  for (const name of formQuestions) {
    const current = questions.find((question) => question.name === name);
    const answer = answers[name];
    if (current && answer === '') wrong.push({ pointer: `/${name}`, message: validationMessages.mandatory });
    else if (!current && answer !== '') wrong.push({ pointer: `/${name}`, message: validationMessages.unknownField });
    else if (current && !current.choices.some(({ uid }) => uid === answer))
      wrong.push({ pointer: `/${name}`, message: validationMessages.choice });
  }
  if (!ratings && answers.rating !== null) wrong.push({ pointer: '/rating', message: validationMessages.unknownField });
  return wrong;
}
