import { Type } from 'typebox';
import { definePlugin } from '#core';

export default definePlugin({
  id: 'feedback',
  title: 'feedback.title',
  settings: Type.Object(
    {
      dropdowns: Type.Enum([1, 2], {
        default: 2,
        description: 'The number of questions of the tour form: the type of work, and with 2 also the activity.',
      }),
      ratings: Type.Boolean({
        default: true,
        description: 'Whether a person is asked for a rating after a tour: on leaving it, or at its next start.',
      }),
      validFor: Type.Integer({
        minimum: 0,
        maximum: 31_536_000_000,
        default: 28_800_000,
        description:
          'Milliseconds for which an answered form stays valid for its tour. With 0, each opening shows the form.',
      }),
    },
    { additionalProperties: false },
  ),
  access: [],
  requires: ['masters', 'tour'],
  bridges: [],
});
