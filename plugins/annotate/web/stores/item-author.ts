import type { Me } from '#core/api';

/** The author of new items. */
export interface ItemAuthor {
  /** Username of the person whose session sends the unsent items. It is empty if unknown. */
  readonly username: string;
  /** The name that other people see. */
  readonly name: string;
}

/** Converts the signed-in person to an author, with the same name as on the server. */
export function toItemAuthor(me: Me | undefined): ItemAuthor {
  return { username: me?.username ?? '', name: me?.name.trim() || (me?.username ?? '') };
}
