import type { undoChange } from '#core/api';
import type { HttpClient } from '#core/web';

/** Undoes changes for `LastChangeStore`, and loads what is shown anew. */
export const undoBy =
  (http: HttpClient, reload: () => Promise<void>) =>
  async (change: string): Promise<string> => {
    try {
      const reply = await http.call<typeof undoChange>('POST', '/api/changes/:change/undo', {
        params: { change },
        body: {},
      });
      return reply.change ?? change;
    } finally {
      await reload();
    }
  };
