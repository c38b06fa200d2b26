import type { Me } from '#core/api';

/** Who makes things here. */
export interface Writer {
  /** Whose they are on this device; empty where nobody knows. */
  readonly username: string;
  /** How others read of them. */
  readonly name: string;
}

/** As the server names them too. */
export function toWriter(me: Me | undefined): Writer {
  return { username: me?.username ?? '', name: me?.name.trim() || (me?.username ?? '') };
}
