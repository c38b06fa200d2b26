import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { Empty, LocationUid, nullable, NewUid, Uid } from '#core/api';
import { formQuestions, maxRating } from './values.ts';

/** The uid of the chosen master. Empty if the form does not have the question. */
const ChosenUid = Type.String({ pattern: '^([0-9a-f-]{36})?$' });
/**
 * Milliseconds for which the caller's answer for this tour stays valid, or 0 if the form must be shown. It is a
 * duration because the browser's clock may be wrong.
 */
const RemainingMs = Type.Integer({ minimum: 0 });

export type FormChoice = Static<typeof FormChoice>;
export const FormChoice = Type.Object({ uid: Type.String(), name: Type.String(), frenchName: nullable(Type.String()) });

/** The questions before a tour. */
export type TourFormDefinition = Static<typeof TourFormDefinition>;
export const TourFormDefinition = Type.Object({
  remaining: RemainingMs,
  /** In the order of the form, without questions that have no choices. Empty if there is nothing to ask. */
  questions: Type.Array(
    Type.Object({ name: Type.Enum([...formQuestions]), choices: Type.Array(FormChoice, { minItems: 1 }) }),
  ),
  /** Uid of the caller's last form of this tour, if it has no rating yet. Null also if the product has no ratings. */
  unratedForm: nullable(Uid),
});

export type TourFormAnswers = Static<typeof TourFormAnswers>;
export const TourFormAnswers = Type.Object(
  {
    typeOfWork: ChosenUid,
    activity: ChosenUid,
  },
  { additionalProperties: false },
);

export const getTourForm = endpoint('GET', '/api/feedback/:location/form', {
  summary:
    'Returns the questions that the caller must answer before the tour of a location, or of the nearest location ' +
    'above it, opens, and for how long an earlier answer stays valid.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: TourFormDefinition,
});

export const answerTourForm = endpoint('PUT', '/api/feedback/:location/forms/:uid', {
  summary: 'Saves an answered tour form under a uid that the caller chose. A form that is sent twice is saved once.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: NewUid }),
  body: TourFormAnswers,
  reply: Type.Object({ remaining: RemainingMs }),
});

export const rateTour = endpoint('PUT', '/api/feedback/:location/forms/:uid/rating', {
  summary: 'Saves the rating of the tour with a form of the caller. Null saves that the person skipped the question.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: NewUid }),
  body: Type.Object(
    { rating: nullable(Type.Integer({ minimum: 1, maximum: maxRating })) },
    { additionalProperties: false },
  ),
  reply: Empty,
});
