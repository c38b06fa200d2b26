import { Type } from 'typebox';
import { definePlugin } from '#core';

export default definePlugin({
  id: 'account',
  title: 'account.title',
  base: true,
  settings: Type.Object({}, { additionalProperties: false }),
  access: [],
  requires: ['tour'],
  bridges: [],
});
