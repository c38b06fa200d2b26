import { Type } from 'typebox';
import { definePlugin } from '#core';

export default definePlugin({
  id: 'imports',
  title: 'imports.title',
  base: true,
  settings: Type.Object(
    {
      endSessions: Type.Boolean({
        default: true,
        description: 'Ends the sessions of all other people when an import of workbooks is applied.',
      }),
    },
    { additionalProperties: false },
  ),
  access: ['import'],
  requires: [],
  bridges: [],
});
