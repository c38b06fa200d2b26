import { Type } from 'typebox';
import { definePlugin } from '#core';

export default definePlugin({
  id: 'expense',
  title: 'expense.title',
  base: true,
  settings: Type.Object({}, { additionalProperties: false }),
  access: ['configure'],
  requires: [],
  bridges: ['imports'],
});
