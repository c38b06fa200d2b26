import type { BodyOf } from '#core';
import type { Changed } from '#core/api';
import { ChangeSender, type LastChangeStore } from '#core/ui-data';
import type { HttpClient } from '#core/web';
import type { Contact } from '#plugins/media';
import type { deleteContact, saveContact } from '#plugins/media/api';

export type ContactValues = Omit<BodyOf<typeof saveContact>, 'version'>;

/** Saves and deletes contacts, and reports each change so that it can be undone. */
export class ContactMutations {
  readonly #http: HttpClient;
  readonly #sender: ChangeSender;

  constructor(http: HttpClient, lastChange: LastChangeStore, reload: () => Promise<void>) {
    this.#http = http;
    this.#sender = new ChangeSender(http, lastChange, reload);
  }

  /** `version` is 0 for a new contact. Its uid ensures that a retry creates no second one. */
  save(contact: string, values: ContactValues, version: number): Promise<void> {
    return this.#send(
      () =>
        this.#http.call<typeof saveContact>('PUT', '/api/media/contacts/:contact', {
          params: { contact },
          body: { ...values, version },
        }),
      'saved',
      values.name,
    );
  }

  delete({ uid, name, version }: Contact): Promise<void> {
    return this.#send(
      () =>
        this.#http.call<typeof deleteContact>('DELETE', '/api/media/contacts/:contact', {
          params: { contact: uid },
          query: { version },
        }),
      'deleted',
      name,
    );
  }

  #send(call: () => Promise<Changed>, kind: 'saved' | 'deleted', name: string): Promise<void> {
    return this.#sender.send(call, {
      texts: { done: `media.contact.done.${kind}`, undone: `media.contact.undone.${kind}` },
      values: { name },
    });
  }
}
