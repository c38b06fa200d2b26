import { Type } from 'typebox';
import { definePlugin } from '#core';

export default definePlugin({
  id: 'scan',
  title: 'scan.title',
  settings: Type.Object(
    {
      token: Type.Boolean({
        default: false,
        description: 'Shows scans only while a scan token is valid. An admin sets when it expires.',
      }),
    },
    { additionalProperties: false },
  ),
  access: ['scanAccess', 'configure'],
  requires: ['tour'],
  bridges: [],
});
