import { Type } from 'typebox';
import { definePlugin } from '#core';

export default definePlugin({
  id: 'roles',
  title: 'roles.title',
  base: true,
  settings: Type.Object({}, { additionalProperties: false }),
  access: ['configure', 'userManagement'],
  requires: [],
  bridges: [],
});
