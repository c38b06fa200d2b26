import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { LocationUid, nullable, NewUid } from '#core/api';
import { formQuestions, highestRating } from './values.ts';

/** Empty if the question is not asked. */
const Choice = Type.String({ pattern: '^([0-9a-f-]{36})?$' });
/**
 * Milliseconds for which the caller's answer for this tour is valid; 0: ask now. A duration, because the browser's
 * clock may be wrong.
 */
const Remaining = Type.Integer({ minimum: 0 });

export type FormChoice = Static<typeof FormChoice>;
export const FormChoice = Type.Object({ uid: Type.String(), name: Type.String(), frenchName: nullable(Type.String()) });

/** The questions before a tour. */
export type TourForm = Static<typeof TourForm>;
export const TourForm = Type.Object({
  remaining: Remaining,
  /** In the order of the form. Questions without choices are omitted. Empty: there is nothing to ask. */
  questions: Type.Array(
    Type.Object({ name: Type.Enum([...formQuestions]), choices: Type.Array(FormChoice, { minItems: 1 }) }),
  ),
  ratings: Type.Boolean(),
});

export type AnsweredForm = Static<typeof AnsweredForm>;
export const AnsweredForm = Type.Object(
  {
    typeOfWork: Choice,
    activity: Choice,
    /** 1 to 5; null if no rating was given or asked for. */
    rating: nullable(Type.Integer({ minimum: 1, maximum: highestRating })),
  },
  { additionalProperties: false },
);

export const getTourForm = endpoint('GET', '/api/feedback/:location/form', {
  summary:
    'What the caller is to be asked before the tour of a location (or of the nearest location above it) opens, and ' +
    'for how long not.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: TourForm,
});

export const answerTourForm = endpoint('PUT', '/api/feedback/:location/forms/:uid', {
  summary: 'Keep an answered tour form under a uid that the caller chose. Sent twice it is kept once.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: NewUid }),
  body: AnsweredForm,
  reply: Type.Object({ remaining: Remaining }),
});
