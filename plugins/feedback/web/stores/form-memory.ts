import type { BrowserStorage } from '#core/web';

/** What stands in the fields; empty or null where nothing was given. */
export type FormValues = {
  readonly typeOfWork: string;
  readonly activity: string;
  /** 1 to 5. */
  readonly rating: number | null;
};

/** A form on its way: its uid stays the same until the server has it, so that what is sent twice is kept once. */
export interface FormDraft {
  readonly uid: string;
  readonly values: FormValues;
}

interface Remembered {
  readonly username: string;
  /** By uid of the location in the address. */
  readonly drafts: Readonly<Record<string, FormDraft>>;
  /** Milliseconds since 1970 by this browser's clock, by uid of the location. */
  readonly validUntil: Readonly<Record<string, number>>;
}

const key = 'feedback.form';

/**
 * What the browser keeps of one person's forms: what was typed, until the server has it, and until when an answer
 * holds, to ask the server no more often than need be.
 */
export class FormMemory {
  readonly #storage: BrowserStorage;
  readonly #username: string;
  readonly #validFor: number;

  /** `validFor` in milliseconds: no answer holds longer, whatever a clock that was changed makes of it. */
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

  /** Whether an answer is known to hold at `now`. */
  holds(location: string, now: number): boolean {
    const left = (this.#read().validUntil[location] ?? 0) - now;
    return left > 0 && left <= this.#validFor;
  }

  /** The server has an answer that holds for `remaining` milliseconds from `now`: the draft is done. */
  answered(location: string, remaining: number, now: number): void {
    const { drafts, validUntil, username } = this.#read();
    const { [location]: _, ...others } = drafts;
    this.#storage.set(key, { username, drafts: others, validUntil: { ...validUntil, [location]: now + remaining } });
  }

  #read(): Remembered {
    const remembered = this.#storage.get<Remembered>(key);
    return remembered?.username === this.#username
      ? remembered
      : { username: this.#username, drafts: {}, validUntil: {} };
  }
}
