import type { BodyOf } from '#core';
import type { Changed, undoChange } from '#core/api';
import type { LastChangeStore } from '#core/ui-data';
import type { HttpClient } from '#core/web';
import type { Contact } from '#plugins/media';
import type { deleteContact, saveContact } from '#plugins/media/api';

export type ContactValues = Omit<BodyOf<typeof saveContact>, 'version'>;

/** Saves and deletes contacts, and reports each change so that people with `configure` can undo it. */
export class ContactChanges {
  readonly #http: HttpClient;
  readonly #lastChange: LastChangeStore;
  readonly #reload: () => Promise<void>;

  constructor(http: HttpClient, lastChange: LastChangeStore, reload: () => Promise<void>) {
    this.#http = http;
    this.#lastChange = lastChange;
    this.#reload = reload;
  }

  /** `version` is 0 for a new contact, whose uid makes a repeated request harmless. */
  save(contact: string, values: ContactValues, version: number): Promise<void> {
    return this.#run(
      this.#http.call<typeof saveContact>('PUT', '/api/media/contacts/:contact', {
        params: { contact },
        body: { ...values, version },
      }),
      'saved',
      values.name,
    );
  }

  delete({ uid, name, version }: Contact): Promise<void> {
    return this.#run(
      this.#http.call<typeof deleteContact>('DELETE', '/api/media/contacts/:contact', {
        params: { contact: uid },
        query: { version },
      }),
      'deleted',
      name,
    );
  }

  async #run(call: Promise<Changed>, kind: 'saved' | 'deleted', name: string): Promise<void> {
    let change: string | null;
    try {
      ({ change } = await call);
    } finally {
      await this.#reload();
    }
    if (change === null) return;
    this.#lastChange.report({
      uids: [change],
      texts: { done: `media.contact.done.${kind}`, undone: `media.contact.undone.${kind}` },
      values: { name },
      undo: async (uid) => {
        const { change: undoing } = await this.#http.call<typeof undoChange>('POST', '/api/changes/:change/undo', {
          params: { change: uid },
          body: {},
        });
        await this.#reload();
        return undoing ?? uid;
      },
    });
  }
}
