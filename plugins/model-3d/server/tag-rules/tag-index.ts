import type { SiteTag } from '#plugins/tour';

/** The tags that a text names. */
export interface TagsOfText {
  /** Uids. */
  readonly tags: readonly string[];
  /**
   * Whether the text equals a current or former tag number. If false, only the letters and digits of both are equal.
   */
  readonly exact: boolean;
}

/** Reduces a number to upper-case letters A to Z and digits, like the search of the tour. */
const toKey = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** The tags of a site by their current and former numbers. */
export class TagIndex {
  readonly #byNumber = new Map<string, string>();
  readonly #byKey = new Map<string, string[]>();

  constructor(tags: readonly Pick<SiteTag, 'uid' | 'numbers'>[]) {
    for (const { uid, numbers } of tags)
      for (const number of numbers) {
        this.#byNumber.set(number, uid);
        const key = toKey(number);
        const uidsWithKey = this.#byKey.get(key);
        if (!uidsWithKey) this.#byKey.set(key, [uid]);
        else if (!uidsWithKey.includes(uid)) uidsWithKey.push(uid);
      }
  }

  /** Finds the tag with this number, or else all tags with the same letters and digits. A leading slash is ignored. */
  find(text: string): TagsOfText {
    const number = text.replace(/^\/+/, '').trim();
    const uid = this.#byNumber.get(number);
    if (uid !== undefined) return { tags: [uid], exact: true };
    const key = toKey(number);
    return { tags: (key === '' ? undefined : this.#byKey.get(key)) ?? [], exact: false };
  }
}
