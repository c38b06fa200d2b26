import type { BodyOf } from '#core';
import { ChangeSender, type LastChangeStore } from '#core/ui-data';
import type { HttpClient } from '#core/web';
import type { updateMaster, updateMasterType, createMaster, MasterData } from '../../contract/api/master-data.ts';
import type { MasterTypeCode } from '../../contract/values.ts';

export const masterChangeKinds = ['created', 'changed', 'activated', 'deactivated'] as const;
type ChangeKind = (typeof masterChangeKinds)[number];

const toTexts = (kind: ChangeKind) => ({ done: `masters.done.${kind}`, undone: `masters.undone.${kind}` });

/**
 * Changes masters and their types, reloads them, and reports each change so that it can be undone. Methods reject with
 * `ApiError` if the server refuses, after the current rows are loaded.
 */
export class MasterMutations {
  readonly #http: HttpClient;
  readonly #sender: ChangeSender;

  constructor(http: HttpClient, lastChange: LastChangeStore, reload: () => Promise<void>) {
    this.#http = http;
    this.#sender = new ChangeSender(http, lastChange, reload);
  }

  /** `name` is that of the type in the person's language. */
  setType(type: MasterTypeCode, name: string, body: BodyOf<typeof updateMasterType>): Promise<void> {
    const call = () =>
      this.#http.call<typeof updateMasterType>('PUT', '/api/master-types/:type', { params: { type }, body });
    return this.#sender.send(call, { texts: toTexts(body.active ? 'activated' : 'deactivated'), values: { name } });
  }

  create(body: BodyOf<typeof createMaster>): Promise<void> {
    const call = () => this.#http.call<typeof createMaster>('POST', '/api/master-data', { body });
    return this.#sender.send(call, { texts: toTexts('created'), values: { name: body.name } });
  }

  update(master: string, body: BodyOf<typeof updateMaster>, kind: ChangeKind = 'changed'): Promise<void> {
    const call = () =>
      this.#http.call<typeof updateMaster>('PUT', '/api/master-data/:master', { params: { master }, body });
    return this.#sender.send(call, { texts: toTexts(kind), values: { name: body.name } });
  }

  setStatus({ uid, name, frenchName, sequence, parent, version }: MasterData, active: boolean): Promise<void> {
    return this.update(
      uid,
      { name, frenchName, sequence, parent: parent?.uid ?? null, active, version },
      active ? 'activated' : 'deactivated',
    );
  }
}
