import type { BrowserStorage } from '#core/web';

/** The current field values; empty or null without an answer. */
export type FormValues = {
  readonly typeOfWork: string;
  readonly activity: string;
  /** 1 to 5. */
  readonly rating: number | null;
};

/** A form that is being sent. Its uid stays the same until the server has saved it, so that repeats have no effect. */
export interface FormDraft {
  readonly uid: string;
  readonly values: FormValues;
}

interface Remembered {
  readonly username: string;
  /** By uid of the location in the address. */
  readonly drafts: Readonly<Record<string, FormDraft>>;
  /** Expiry in milliseconds since 1970 by this browser's clock, by uid of the location. */
  readonly validUntil: Readonly<Record<string, number>>;
}

const key = 'feedback.form';

/** One person's forms in the browser: unsent drafts, and the expiry of answers, which saves requests. */
export class FormMemory {
  readonly #storage: BrowserStorage;
  readonly #username: string;
  readonly #validFor: number;

  /** @param validFor maximum validity in milliseconds, which limits the effect of a changed clock */
  constructor(storage: BrowserStorage, username: string, validFor: number) {
    this.#storage = storage;
    this.#username = username;
    this.#validFor = validFor;
  }

  draft(location: string): FormDraft | undefined {
    return this.#read().drafts[location];
  }

  saveDraft(location: string, draft: FormDraft): void {
    const remembered = this.#read();
    this.#storage.set(key, { ...remembered, drafts: { ...remembered.drafts, [location]: draft } });
  }

  /** Whether a remembered answer is valid at `now`. */
  holds(location: string, now: number): boolean {
    const left = (this.#read().validUntil[location] ?? 0) - now;
    return left > 0 && left <= this.#validFor;
  }

  /** The server has an answer that is valid for `remaining` milliseconds from `now`. Deletes the draft. */
  answered(location: string, remaining: number, now: number): void {
    const { drafts, validUntil, username } = this.#read();
    const { [location]: _, ...otherDrafts } = drafts;
    this.#storage.set(key, {
      username,
      drafts: otherDrafts,
      validUntil: { ...validUntil, [location]: now + remaining },
    });
  }

  #read(): Remembered {
    const remembered = this.#storage.get<Remembered>(key);
    return remembered?.username === this.#username
      ? remembered
      : { username: this.#username, drafts: {}, validUntil: {} };
  }
}
