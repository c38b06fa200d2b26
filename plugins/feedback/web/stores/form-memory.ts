import type { BrowserStorage } from '#core/web';

/** The current field values. A question without an answer is empty. */
export type FormValues = {
  readonly typeOfWork: string;
  readonly activity: string;
};

/** A form that the server has not saved yet. Its uid does not change, so a repeated request has no effect. */
export interface FormDraft {
  readonly uid: string;
  readonly values: FormValues;
}

interface StoredForms {
  readonly username: string;
  /** Unsent drafts by uid of the location in the URL. */
  readonly drafts: Readonly<Record<string, FormDraft>>;
  /** Expiry in milliseconds since 1970 by this browser's clock, by uid of the location. */
  readonly validUntil: Readonly<Record<string, number>>;
}

const storageKey = 'feedback.form';

/** Saves one person's unsent drafts in the browser, and the expiry of answers to avoid requests. */
export class FormMemory {
  readonly #storage: BrowserStorage;
  readonly #username: string;
  readonly #maxValidityMs: number;

  /** @param maxValidityMs longer validities are ignored, because the clock must have changed */
  constructor(storage: BrowserStorage, username: string, maxValidityMs: number) {
    this.#storage = storage;
    this.#username = username;
    this.#maxValidityMs = maxValidityMs;
  }

  findDraft(location: string): FormDraft | undefined {
    return this.#read().drafts[location];
  }

  saveDraft(location: string, draft: FormDraft): void {
    const storedForms = this.#read();
    this.#storage.set(storageKey, { ...storedForms, drafts: { ...storedForms.drafts, [location]: draft } });
  }

  /** Whether a remembered answer is valid at `now`. */
  hasValidAnswer(location: string, now: number): boolean {
    const remainingMs = (this.#read().validUntil[location] ?? 0) - now;
    return remainingMs > 0 && remainingMs <= this.#maxValidityMs;
  }

  /** Saves that the server has an answer which is valid for `remainingMs` milliseconds from `now`. Deletes the draft. */
  setAnswered(location: string, remainingMs: number, now: number): void {
    const { drafts, validUntil, username } = this.#read();
    const { [location]: _, ...otherDrafts } = drafts;
    this.#storage.set(storageKey, {
      username,
      drafts: otherDrafts,
      validUntil: { ...validUntil, [location]: now + remainingMs },
    });
  }

  #read(): StoredForms {
    const storedForms = this.#storage.get<StoredForms>(storageKey);
    return storedForms?.username === this.#username
      ? storedForms
      : { username: this.#username, drafts: {}, validUntil: {} };
  }
}
