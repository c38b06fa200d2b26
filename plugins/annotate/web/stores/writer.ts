import type { Me } from '#core/api';

/** The author of new items. */
export interface Writer {
  /** Username, by which the device separates unsent items; empty if unknown. */
  readonly username: string;
  /** The name that others see. */
  readonly name: string;
}

/** Formed as on the server. */
export function toWriter(me: Me | undefined): Writer {
  return { username: me?.username ?? '', name: me?.name.trim() || (me?.username ?? '') };
}
