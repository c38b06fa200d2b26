import { Type } from 'typebox';
import { definePlugin } from '#core';

export default definePlugin({
  id: 'vr',
  title: 'vr.title',
  settings: Type.Object(
    {
      hoverNavigation: Type.Boolean({
        default: false,
        description: 'Resting the pointer on a hotspot for a moment walks there, without a click.',
      }),
    },
    { additionalProperties: false },
  ),
  access: ['vrAccess', 'configure'],
  requires: ['tour'],
  bridges: [],
});
