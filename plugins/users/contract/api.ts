import { Type } from 'typebox';
import { endpoint, personColumns } from '#core';

export const exportUsers = endpoint('POST', '/api/users/export', {
  summary: 'Prepare a workbook of the users, with the filters and the order of the list.',
  access: 'userManagement',
  body: Type.Object(
    {
      language: Type.Enum(['en', 'fr']),
      day: Type.String({ format: 'date', description: 'The day in the name of the file.' }),
      text: Type.Optional(Type.String({ maxLength: 200 })),
      status: Type.Optional(Type.Enum(['ACTIVE', 'INACTIVE'])),
      role: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      sort: Type.Optional(Type.Enum([...personColumns])),
      direction: Type.Optional(Type.Enum(['ascending', 'descending'])),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ address: Type.String(), name: Type.String() }),
});
