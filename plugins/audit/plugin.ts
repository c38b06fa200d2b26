import { Type } from 'typebox';
import { definePlugin } from '#core';

export default definePlugin({
  id: 'audit',
  title: 'audit.title',
  base: true,
  settings: Type.Object({}, { additionalProperties: false }),
  access: ['userManagement'],
  requires: [],
  bridges: [],
});
