import { validationMessages, type FieldError } from '#core';
import { invalidRequest, notFound, type Caller } from '#core/server';
import { formQuestions, type TourFormAnswers, type TourFormDefinition } from '#plugins/feedback';
import { Tours } from '#plugins/tour';
import { loadQuestions, loadRemainingMs, type FeedbackContext } from '../queries/tour-form.ts';

/**
 * Saves an answered form and returns the milliseconds for which it is valid.
 *
 * @throws 400 with the invalid fields, or 404 if the uid belongs to the form of another person or tour
 */
export async function saveForm(
  context: FeedbackContext,
  caller: Caller,
  location: string,
  uid: string,
  answers: TourFormAnswers,
): Promise<number> {
  const tour = await context.service(Tours).tourAt(location);
  const { tables } = context;
  const existingForm = await tables
    .selectFrom('form')
    .select(['author', 'tour'])
    .where('uid', '=', uid)
    .executeTakeFirst();
  if (existingForm && (existingForm.author !== caller.uid || existingForm.tour !== tour)) throw notFound('This form');
  // A repeated call succeeds even if a choice has been removed since the first call, because the reply to the first
  // call may have been lost.
  if (existingForm) return loadRemainingMs(context, caller, tour);
  const errors = findFieldErrors(await loadQuestions(context), answers);
  if (errors.length > 0) throw invalidRequest('Some answers of the form are invalid.', errors);
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
      rating: null,
      rated_at: null,
      answered_at: now,
      valid_until: new Date(now.getTime() + context.settings.validFor),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return loadRemainingMs(context, caller, tour);
}

function findFieldErrors(questions: TourFormDefinition['questions'], answers: TourFormAnswers): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const name of formQuestions) {
    const question = questions.find((candidate) => candidate.name === name);
    const answer = answers[name];
    if (question && answer === '') errors.push({ pointer: `/${name}`, message: validationMessages.mandatory });
    else if (!question && answer !== '') errors.push({ pointer: `/${name}`, message: validationMessages.unknownField });
    else if (question && !question.choices.some(({ uid }) => uid === answer))
      errors.push({ pointer: `/${name}`, message: validationMessages.choice });
  }
  return errors;
}
