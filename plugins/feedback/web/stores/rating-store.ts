import { inject, injectable } from 'inversify';
import { action, makeObservable, observableRef } from 'mobx';
import { ApiError, BrowserStorage, HttpClient, Session } from '#core/web';
import type { rateTour } from '#plugins/feedback/api';

/** A form whose rating the server does not have yet. */
export interface UnratedForm {
  readonly uid: string;
  /** Uid of the location in the URL. */
  readonly location: string;
  /** Name of the tour. Empty before the tour was shown. */
  readonly tour: string;
  /** Whether the tour was shown after this form. */
  readonly seen: boolean;
  /** The unsent answer: 1 to 5, or null if the question was skipped. Undefined before an answer. */
  readonly rating?: number | null;
}

interface StoredRatings {
  readonly username: string;
  readonly forms: readonly UnratedForm[];
}

const storageKey = 'feedback.ratings';

/**
 * Asks for the rating of a tour when the person leaves it, or else at its next start. Unsent ratings stay in the
 * browser until the server has them.
 */
@injectable()
export class RatingStore {
  readonly #http: HttpClient;
  readonly #storage: BrowserStorage;
  readonly #session: Session;

  /** The form whose rating is asked for now. */
  question: UnratedForm | undefined;

  constructor(
    @inject(HttpClient) http: HttpClient,
    @inject(BrowserStorage) storage: BrowserStorage,
    @inject(Session) session: Session,
  ) {
    this.#http = http;
    this.#storage = storage;
    this.#session = session;
    makeObservable(this, {
      question: observableRef,
      handleTourShown: action,
      handleTourLeft: action,
      answer: action,
    });
  }

  /** Adds a form that the person has just answered. The tour has not been shown since. */
  addForm(location: string, uid: string): void {
    this.#write([...this.#read(), { uid, location, tour: '', seen: false }]);
  }

  /** Sets the form of an earlier visit that the server knows as unrated. Null if there is none. */
  setUnratedForm(location: string, uid: string | null): void {
    const forms = this.#read();
    if (forms.some((form) => form.uid === uid)) return;
    const otherForms = forms.filter((form) => form.location !== location || form.rating !== undefined);
    this.#write(uid === null ? otherForms : [...otherForms, { uid, location, tour: '', seen: true }]);
  }

  /** Called when the tour is on the screen. Asks for the rating of an earlier visit. */
  handleTourShown(location: string, tour: string): void {
    const forms = this.#read();
    const dueForm = forms.find((form) => form.location === location && form.seen && form.rating === undefined);
    this.#write(forms.map((form) => (form.location === location ? { ...form, tour, seen: true } : form)));
    this.question = dueForm && { ...dueForm, tour };
    void this.sendAll();
  }

  /** Called when the person has left the tour. Asks for the rating of this visit. */
  handleTourLeft(location: string): void {
    const forms = this.#read();
    const isOpen = (form: UnratedForm): boolean => form.location === location && form.rating === undefined;
    const lastForm = forms.findLast(isOpen);
    this.#write(forms.filter((form) => form === lastForm || !isOpen(form)));
    this.question = lastForm;
  }

  /** Saves the answer in the browser and sends it. Null skips the question. */
  answer(rating: number | null): void {
    const { question } = this;
    if (!question) return;
    this.#write(this.#read().map((form) => (form.uid === question.uid ? { ...form, rating } : form)));
    this.question = undefined;
    void this.sendAll();
  }

  /** Sends the unsent answers. Keeps them if the server cannot be reached. */
  async sendAll(): Promise<void> {
    for (const { uid, location, rating } of this.#read()) {
      if (rating === undefined) continue;
      try {
        await this.#http.call<typeof rateTour>('PUT', '/api/feedback/:location/forms/:uid/rating', {
          params: { location, uid },
          body: { rating },
        });
      } catch (error) {
        if (!(error instanceof ApiError) || ![400, 403, 404].includes(error.status)) return;
      }
      this.#write(this.#read().filter((form) => form.uid !== uid));
    }
  }

  #read(): readonly UnratedForm[] {
    const storedRatings = this.#storage.get<StoredRatings>(storageKey);
    return storedRatings?.username === this.#session.me?.username ? (storedRatings?.forms ?? []) : [];
  }

  #write(forms: readonly UnratedForm[]): void {
    const username = this.#session.me?.username;
    if (username !== undefined) this.#storage.set(storageKey, { username, forms } satisfies StoredRatings);
  }
}
