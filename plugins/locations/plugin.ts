import { Type } from 'typebox';
import { definePlugin } from '#core';

export default definePlugin({
  id: 'locations',
  title: 'locations.title',
  base: true,
  settings: Type.Object(
    {
      alphabetical: Type.Boolean({
        default: false,
        description: 'Whether locations are sorted by name. Otherwise they keep the order in which they were imported.',
      }),
    },
    { additionalProperties: false },
  ),
  access: ['configure'],
  requires: [],
  bridges: ['imports'],
});
