import { Type } from 'typebox';
import { definePlugin } from '#core';

export default definePlugin({
  id: 'masters',
  title: 'masters.title',
  settings: Type.Object({}, { additionalProperties: false }),
  access: [],
  requires: [],
  bridges: [],
});
