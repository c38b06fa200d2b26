import { makeObservable, observable, observableRef, runInAction } from 'mobx';
import { abortable } from './abortable.ts';
import type { RenewalCall, RenewalHint } from '../http/renewal-call.ts';
import type { RenewalLock } from './renewal-lock.ts';
import type { TransferredTokens, SessionChannel, SessionMessage } from './session-channel.ts';

/** `none` means that nobody is signed in, or that this is not known yet. */
export type TokenState = 'none' | 'valid' | 'expired' | 'inactive';

/** The session of a call is over because somebody logged out or another person logged in. */
export class SessionEndedError extends Error {
  override readonly name = 'SessionEndedError';

  constructor() {
    super('The session in which this call was made has ended. It was not sent again.');
  }
}

export interface TokenManagerOptions {
  readonly channel: SessionChannel;
  readonly lock: RenewalLock;
  readonly renew: RenewalCall;
  /** Returns true if another tab could answer a request for a token. */
  readonly isOtherTabPresent: () => Promise<boolean>;
  /** Returns the last person who signed in on this device. */
  readonly hint: () => RenewalHint;
  readonly now: () => number;
  /** Resolves after the given milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Called before the state changes if another tab logged out, requested a reload, or logged in another person. */
  readonly onEnded: (reason: 'logout' | 'reload' | 'otherPerson') => void;
}

/** Maximum wait for a newer token from other tabs. */
const answerTimeoutMs = 100;
/**
 * Delays before each retry of an unanswered renewal. All are within the server's grace period for a used token.
 */
const renewalPausesMs: readonly number[] = [400, 1500];
/** A token with a shorter lifetime is renewed only when a call needs it. */
const minProactiveLifetimeMs = 60_000;
/** A used token is renewed this long before its expiry. */
const proactiveMarginMs = 30_000;

/**
 * Keeps this tab's access token in sync with all other tabs. Orders tokens by `issuedAt` and ignores messages about
 * older tokens. `#renewing` allows one renewal at a time in the tab, and the lock one in all tabs.
 */
export class TokenManager {
  state: TokenState = 'none';
  tokens: TransferredTokens | undefined = undefined;
  /** The reason for which the tokens were last discarded. Undefined while the session is valid. */
  failure: 'refused' | 'noAccessToken' | undefined = undefined;

  readonly #options: TokenManagerOptions;
  readonly #stopListening: () => void;
  readonly #changeListeners = new Set<() => void>();
  /** Number of this tab's session, so that a late answer cannot revive an ended session. */
  #generation = 0;
  #ended = false;
  /** Tokens issued up to this time were refused. */
  #refusedUpTo = 0;
  #lastUsedAt = 0;
  #renewing: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: TokenManagerOptions) {
    this.#options = options;
    makeObservable(this, { state: observable, tokens: observableRef, failure: observable });
    this.#stopListening = options.channel.listen((message) => this.#handleMessage(message));
  }

  get generation(): number {
    return this.#generation;
  }

  dispose(): void {
    this.#stopListening();
    clearTimeout(this.#timer);
  }

  /**
   * The token for a call; undefined if nobody is signed in. While the session is expired, it waits for a login in
   * another tab. Rejects with the signal's reason, or with `SessionEndedError` if the session of `generation` is over.
   * A passive call does not count as use of the session, and waits for tokens other than `refused`.
   */
  async waitForTokens(
    generation: number,
    signal?: AbortSignal,
    passive?: { readonly refused: TransferredTokens | undefined },
  ): Promise<TransferredTokens | undefined> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#ended || this.#generation !== generation) throw new SessionEndedError();
      const isRefused = passive?.refused !== undefined && passive.refused === this.tokens;
      if (this.state !== 'expired' && !isRefused) break;
      await this.#waitForChange(signal);
    }
    if (!passive) this.#lastUsedAt = this.#options.now();
    return this.tokens;
  }

  /**
   * Gets a token newer than `stale`, from another tab or by one renewal shared by all callers. A refusal changes
   * `state`. Rejects if there is no answer or if the session has ended.
   */
  renew(stale: TransferredTokens | undefined, signal?: AbortSignal): Promise<void> {
    if (this.#ended) return Promise.reject(new SessionEndedError());
    this.#renewing ??= this.#renewLocked(stale?.issuedAt ?? 0).finally(() => {
      this.#renewing = undefined;
    });
    return abortable(this.#renewing, signal);
  }

  /** Starts a session with existing tokens. */
  adopt(tokens: TransferredTokens): void {
    this.#storeTokens(tokens);
  }

  /** Gets the token of another tab, or renews. Resolves to true if somebody is signed in. */
  async resume(): Promise<boolean> {
    if (this.state === 'none') await this.renew(undefined);
    return this.state === 'valid';
  }

  /** Expires the session because the server refused a call that was repeated with `tokens`. */
  expire(tokens: TransferredTokens | undefined): void {
    if (this.state !== 'valid' || tokens === undefined || this.#isNewerThan(tokens.issuedAt)) return;
    this.#discardTokens(tokens, 'refused');
  }

  /** Must be called if the server reported that the account is inactive. */
  setInactive(): void {
    this.#setState('inactive');
  }

  /** Ends the session and rejects waiting calls. */
  end(scope: 'thisTab' | 'allTabs'): void {
    this.#generation += 1;
    this.#ended = true;
    runInAction(() => {
      this.tokens = undefined;
      this.failure = undefined;
    });
    this.#setState('none');
    if (scope === 'allTabs') this.#options.channel.post({ type: 'LOGOUT' });
  }

  /** Runs `work` while no tab renews, so that no renewal overtakes a logout. */
  runExclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#options.lock(work);
  }

  reloadOthers(): void {
    this.#options.channel.post({ type: 'RELOAD' });
  }

  async #renewLocked(issuedAt: number): Promise<void> {
    const generation = this.#generation;
    await this.#options.lock(async (contended) => {
      const otherTabMayHaveToken =
        contended || (this.tokens === undefined && (await this.#options.isOtherTabPresent()));
      if (otherTabMayHaveToken && !this.#isSettled(issuedAt)) await this.#requestFromTabs(issuedAt);
      if (this.#generation !== generation) throw new SessionEndedError();
      if (!this.#isSettled(issuedAt)) await this.#renewWithRetries();
      if (this.#generation !== generation) throw new SessionEndedError();
    });
  }

  async #renewWithRetries(): Promise<void> {
    const generation = this.#generation;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#options.renew(this.tokens ?? this.#options.hint());
      if (this.#generation !== generation) throw new SessionEndedError();
      if (outcome.kind === 'renewed') return this.#publishTokens(outcome.tokens);
      if (outcome.kind === 'inactive') return this.#setState('inactive');
      if (outcome.kind === 'refused')
        return this.tokens ? this.#discardTokens(this.tokens, outcome.reason) : this.#setState('none');
      const pauseMs = renewalPausesMs[attempt];
      if (pauseMs === undefined) throw outcome.error;
      await this.#options.wait(pauseMs);
      if (this.#generation !== generation) throw new SessionEndedError();
    }
  }

  async #requestFromTabs(issuedAt: number): Promise<void> {
    this.#options.channel.post({ type: 'TOKEN_WANTED', newerThan: issuedAt });
    await Promise.race([this.#waitForChange(), this.#options.wait(answerTimeoutMs)]);
  }

  #handleMessage(message: SessionMessage): void {
    switch (message.type) {
      case 'TOKEN_WANTED':
        if (this.tokens && this.#isNewerThan(message.newerThan) && this.tokens.expiresAt > this.#options.now())
          this.#options.channel.post({ type: 'TOKEN_VALID', tokens: this.tokens });
        break;
      case 'LOGIN':
        if (this.#isOfOtherPerson(message.tokens)) this.#endForOtherPerson();
        else this.#handleTokens(message.tokens);
        break;
      case 'TOKEN_VALID':
        this.#handleTokens(message.tokens);
        break;
      case 'TOKEN_INVALID':
        this.#refusedUpTo = Math.max(this.#refusedUpTo, message.issuedAt);
        if (this.state === 'valid' && this.tokens && this.tokens.issuedAt <= message.issuedAt)
          this.#setState('expired');
        break;
      case 'LOGOUT':
        this.#options.onEnded('logout');
        this.end('thisTab');
        break;
      case 'RELOAD':
        this.#options.onEnded('reload');
        break;
    }
  }

  #handleTokens(tokens: TransferredTokens): void {
    if (tokens.issuedAt <= Math.max(this.tokens?.issuedAt ?? 0, this.#refusedUpTo)) return;
    if (this.#isOfOtherPerson(tokens)) this.#endForOtherPerson();
    else this.#storeTokens(tokens);
  }

  #isOfOtherPerson(tokens: TransferredTokens): boolean {
    return this.tokens !== undefined && this.tokens.username !== tokens.username;
  }

  /** Ends the session because another person logged in on this device, so that no call is sent for them. */
  #endForOtherPerson(): void {
    this.#options.onEnded('otherPerson');
    this.end('thisTab');
  }

  /**
   * Stores and sends the token of our own renewal, before the lock is released. It counts as the newest token, even if
   * the local clock went back.
   */
  #publishTokens(tokens: TransferredTokens): void {
    if (this.#isOfOtherPerson(tokens)) return this.#endForOtherPerson();
    const newest = {
      ...tokens,
      issuedAt: Math.max(tokens.issuedAt, (this.tokens?.issuedAt ?? 0) + 1, this.#refusedUpTo + 1),
    };
    this.#storeTokens(newest);
    this.#options.channel.post({ type: 'TOKEN_VALID', tokens: newest });
  }

  #storeTokens(tokens: TransferredTokens): void {
    this.#ended = false;
    runInAction(() => {
      this.tokens = tokens;
      this.failure = undefined;
    });
    this.#setState('valid');
    clearTimeout(this.#timer);
    const storedAt = this.#options.now();
    if (tokens.expiresAt - storedAt < minProactiveLifetimeMs) return;
    this.#timer = setTimeout(
      () => {
        // An idle tab lets its token expire, so that the server's idle limit applies.
        if (this.#lastUsedAt >= storedAt) void this.renew(tokens).catch(() => undefined);
      },
      tokens.expiresAt - storedAt - proactiveMarginMs,
    );
  }

  #discardTokens(tokens: TransferredTokens, reason: 'refused' | 'noAccessToken'): void {
    this.#refusedUpTo = Math.max(this.#refusedUpTo, tokens.issuedAt);
    runInAction(() => {
      this.failure = reason;
    });
    this.#setState('expired');
    this.#options.channel.post({ type: 'TOKEN_INVALID', issuedAt: tokens.issuedAt });
  }

  #setState(state: TokenState): void {
    runInAction(() => {
      this.state = state;
    });
    if (state !== 'valid') clearTimeout(this.#timer);
    const changeListeners = [...this.#changeListeners];
    this.#changeListeners.clear();
    for (const resolve of changeListeners) resolve();
  }

  #isNewerThan(issuedAt: number): boolean {
    return this.state === 'valid' && this.tokens !== undefined && this.tokens.issuedAt > issuedAt;
  }

  /** True if another tab got a newer token or a final refusal for the token that was issued at `issuedAt`. */
  #isSettled(issuedAt: number): boolean {
    return this.#isNewerThan(issuedAt) || (this.state === 'expired' && this.#refusedUpTo >= issuedAt);
  }

  #waitForChange(signal?: AbortSignal): Promise<void> {
    return abortable(new Promise<void>((resolve) => this.#changeListeners.add(resolve)), signal);
  }
}
