import { Type } from 'typebox';
import { definePlugin } from '#core';

export default definePlugin({
  id: 'media',
  title: 'media.title',
  base: true,
  settings: Type.Object({}, { additionalProperties: false }),
  access: ['configure', 'import'],
  requires: [],
  bridges: ['imports', 'locations', 'tour'],
});
