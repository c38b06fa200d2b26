import { action, computed, makeObservable, observableRef } from 'mobx';

interface GivenAnswer<T> {
  readonly file: File | undefined;
  readonly key: string;
  readonly value: T;
}

/**
 * The person's answer to a question about a list that was read from a file. The default if the person has not answered
 * for this list of this file: an answer no longer counts when the columns or the unit change the list.
 */
export class Answer<T> {
  private given: GivenAnswer<T> | undefined = undefined;
  readonly #defaultValue: T;
  readonly #source: { readonly file: File | undefined };
  readonly #getList: () => readonly unknown[];

  /** `source.file` and `getList` must be observable. */
  constructor(defaultValue: T, source: { readonly file: File | undefined }, getList: () => readonly unknown[]) {
    this.#defaultValue = defaultValue;
    this.#source = source;
    this.#getList = getList;
    makeObservable<this, 'given' | 'key'>(this, {
      given: observableRef,
      key: computed,
      value: computed,
      set: action,
    });
  }

  get value(): T {
    const { given } = this;
    if (!given) return this.#defaultValue;
    return given.file === this.#source.file && given.key === this.key ? given.value : this.#defaultValue;
  }

  set(value: T): void {
    this.given = { file: this.#source.file, key: this.key, value };
  }

  private get key(): string {
    return JSON.stringify(this.#getList());
  }
}
