import { Type } from 'typebox';
import { definePlugin } from '#core';

export default definePlugin({
  id: 'feedback',
  title: 'feedback.title',
  settings: Type.Object(
    {
      dropdowns: Type.Enum([1, 2], {
        default: 2,
        description: 'What the tour form asks: 1, the type of work; 2, the activity as well.',
      }),
      ratings: Type.Boolean({ default: true, description: 'Whether the tour form has a rating of the tour.' }),
      validFor: Type.Integer({
        minimum: 0,
        maximum: 31_536_000_000,
        default: 28_800_000,
        description:
          'Milliseconds for which an answered form holds for its tour; then it is asked again. 0 asks at each launch.',
      }),
    },
    { additionalProperties: false },
  ),
  access: [],
  requires: ['masters', 'tour'],
  bridges: [],
});
