import { computed, makeObservable } from 'mobx';
import { hasAccess, type AccessFlag, type AccessInfo } from '#core';
import type { Access, Session } from '../kernel/services.ts';

const nothing: AccessInfo = { flags: [], locations: [], deactivatedRoles: [] };

/** The signed-in person's access, from the server's reply about the person. */
export class AccessService implements Access {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
    makeObservable(this, { info: computed });
  }

  get info(): AccessInfo {
    return this.#session.me?.access ?? nothing;
  }

  has(flag: AccessFlag | undefined): boolean {
    return hasAccess(this.info, flag);
  }
}
