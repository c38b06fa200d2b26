import { Type } from 'typebox';
import { definePlugin } from '#core';

export default definePlugin({
  id: 'content-check',
  title: 'content-check.title',
  base: true,
  settings: Type.Object({}, { additionalProperties: false }),
  access: ['configure'],
  requires: [],
  bridges: ['locations'],
});
