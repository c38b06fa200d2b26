import { Type } from 'typebox';
import { definePlugin } from '#core';

export default definePlugin({
  id: 'annotate',
  title: 'annotate.title',
  settings: Type.Object({}, { additionalProperties: false }),
  access: [],
  requires: ['tour'],
  bridges: [],
});
