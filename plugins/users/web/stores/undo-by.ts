import type { undoChange } from '#core/api';
import type { HttpClient } from '#core/web';

/** Undoes changes of people for `LastChangeStore`, and loads what is shown anew. */
export const undoBy =
  (http: HttpClient, reload: () => void) =>
  async (change: string): Promise<string> => {
    try {
      const request = { params: { change }, body: {} };
      const reply = await http.call<typeof undoChange>('POST', '/api/changes/:change/undo', request);
      return reply.change ?? change;
    } finally {
      reload();
    }
  };
