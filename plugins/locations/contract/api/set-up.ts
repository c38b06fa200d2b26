import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { nullable } from '#core/api';

export const setUpStates = ['TODO', 'STARTED', 'DONE'] as const;
export type SetUpState = (typeof setUpStates)[number];

/** A message of the plugin that owns the step, with its values. */
export type SetUpText = Static<typeof SetUpText>;
export const SetUpText = Type.Object({
  message: Type.String(),
  values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
});

/** The progress of the set-up of the product. */
export type SetUp = Static<typeof SetUp>;
export const SetUp = Type.Object({
  /** Whether an admin removed the list from the home page. */
  dismissed: Type.Boolean(),
  steps: Type.Array(
    Type.Object({
      /** Id of the contribution to `setUpSteps`. */
      id: Type.String(),
      state: Type.Enum([...setUpStates]),
      detail: SetUpText,
      skipped: Type.Boolean(),
    }),
  ),
});

export const getSetUp = endpoint('GET', '/api/set-up', {
  summary: 'Says how far the set-up of sites is, step by step, within the locations that the caller can access.',
  access: 'configure',
  reply: SetUp,
});

export const updateSetUp = endpoint('PUT', '/api/set-up', {
  summary:
    'Skips a step of the set-up for all admins of the product, or restores it. Without a step, removes the list from ' +
    'the home page, or shows it again.',
  access: 'configure',
  body: Type.Object(
    { step: nullable(Type.String({ maxLength: 120 })), hidden: Type.Boolean() },
    { additionalProperties: false },
  ),
  reply: SetUp,
});
