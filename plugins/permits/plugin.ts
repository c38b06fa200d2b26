import { Type } from 'typebox';
import { definePlugin } from '#core';

export default definePlugin({
  id: 'permits',
  title: 'permits.title',
  settings: Type.Object({}, { additionalProperties: false }),
  access: ['permitAccess', 'import'],
  requires: ['tour'],
  bridges: ['imports'],
});
