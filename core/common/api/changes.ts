import { Type, type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Empty, nullable, Uid } from './shapes.ts';

/** `change` is the uid of the change, which `undoChange` undoes. Null if nothing differs. */
export type Changed = Static<typeof Changed>;
export const Changed = Type.Object({ change: nullable(Type.String()) });

export const undoChange = endpoint('POST', '/api/changes/:change/undo', {
  summary:
    'Undoes a change of locations, decks, tours, people or other contents, or redoes it. Needs the flag ' +
    'userManagement for people and answers to their requests, and configure for all else, and access to all places ' +
    'that the change concerns. Answers 409 if the same fields were changed since, or if a row that the undo needs is gone.',
  access: 'signedIn',
  params: Type.Object({ change: Uid }),
  body: Empty,
  reply: Changed,
});
