import { Type } from 'typebox';
import { definePlugin } from '#core';

export default definePlugin({
  id: 'scan',
  title: 'scan.title',
  settings: Type.Object(
    {
      token: Type.Boolean({
        default: false,
        description: 'Scans are shown only while a scan token is valid: an admin sets until when.',
      }),
    },
    { additionalProperties: false },
  ),
  access: ['scanAccess', 'configure'],
  requires: ['tour'],
  bridges: [],
});
