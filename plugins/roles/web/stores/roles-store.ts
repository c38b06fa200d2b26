import type { RoleStatus } from '#core';
import type {
  Changed,
  updateRole,
  createRole,
  getRole,
  NewRoleInput,
  previewRole,
  RoleChange,
  RoleEffects,
  RoleReply,
  setRoleStatus,
} from '#core/api';
import { LastChangeStore, sendUndo } from '#core/ui-data';
import type { HttpClient } from '#core/web';

export const roleChangeKinds = ['created', 'changed', 'activated', 'deactivated'] as const;
export type RoleChangeKind = (typeof roleChangeKinds)[number];

/** Changes roles. `lastChange` can undo each change. Methods reject with `ApiError`. */
export class RolesStore {
  readonly lastChange = new LastChangeStore();
  readonly #http: HttpClient;
  readonly #reload: () => Promise<void>;

  /** `reload` loads the list of roles again. */
  constructor(http: HttpClient, reload: () => Promise<void>) {
    this.#http = http;
    this.#reload = reload;
  }

  load(role: string, signal?: AbortSignal): Promise<RoleReply> {
    return this.#http.call<typeof getRole>(
      'GET',
      '/api/roles/:role',
      { params: { role } },
      signal === undefined ? {} : { signal },
    );
  }

  /** Loads the access that people would lose and gain by a change. */
  preview(
    role: string,
    change: Pick<RoleReply, 'status' | 'flags' | 'allLocations' | 'locations'>,
    signal?: AbortSignal,
  ): Promise<RoleEffects> {
    const { status, flags, allLocations, locations } = change;
    return this.#http.call<typeof previewRole>(
      'POST',
      '/api/roles/:role/effects',
      { params: { role }, body: { status, flags, allLocations, locations } },
      signal === undefined ? {} : { signal },
    );
  }

  create(role: NewRoleInput): Promise<void> {
    return this.#sendChange(
      this.#http.call<typeof createRole>('POST', '/api/roles', { body: role }),
      'created',
      role.name,
    );
  }

  change(role: string, change: RoleChange): Promise<void> {
    const call = this.#http.call<typeof updateRole>('PUT', '/api/roles/:role', { params: { role }, body: change });
    return this.#sendChange(call, 'changed', change.name);
  }

  setStatus({ uid, name, version }: Pick<RoleReply, 'uid' | 'name' | 'version'>, status: RoleStatus): Promise<void> {
    const call = this.#http.call<typeof setRoleStatus>('PUT', '/api/roles/:role/status', {
      params: { role: uid },
      body: { status, version },
    });
    return this.#sendChange(call, status === 'ACTIVE' ? 'activated' : 'deactivated', name);
  }

  async #sendChange(call: Promise<Changed>, kind: RoleChangeKind, name: string): Promise<void> {
    const { change } = await call;
    await this.#reload();
    if (change === null) return;
    this.lastChange.report({
      uids: [change],
      texts: { done: `roles.done.${kind}`, undone: `roles.undone.${kind}` },
      values: { name },
      undo: (uid) => this.#undo(uid),
    });
  }

  async #undo(uid: string): Promise<string> {
    const undoReply = await sendUndo(this.#http, uid);
    await this.#reload();
    return undoReply;
  }
}
