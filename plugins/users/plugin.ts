import { Type } from 'typebox';
import { definePlugin } from '#core';

export default definePlugin({
  id: 'users',
  title: 'users.title',
  base: true,
  settings: Type.Object({}, { additionalProperties: false }),
  access: ['userManagement'],
  requires: ['imports'],
  bridges: ['locations'],
});
