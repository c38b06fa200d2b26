import { computed, makeObservable } from 'mobx';
import { hasAccess, type AccessFlag, type AccessInfo } from '#core';
import type { Access, Session } from '../kernel/services.ts';

const noAccess: AccessInfo = { flags: [], locations: [], deactivatedRoles: [] };

/** The access of the signed-in person, as the session has loaded it. */
export class AccessService implements Access {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
    makeObservable(this, { info: computed });
  }

  get info(): AccessInfo {
    return this.#session.me?.access ?? noAccess;
  }

  has(flag: AccessFlag | undefined): boolean {
    return hasAccess(this.info, flag);
  }
}
