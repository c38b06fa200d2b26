import { makeObservable, observable, observableRef, runInAction } from 'mobx';
import { abortable } from './abortable.ts';
import type { RenewalCall, RenewalHints } from '../http/renewal-call.ts';
import type { RenewalLock } from './renewal-lock.ts';
import type { TransferredToken, SessionChannel, SessionMessage } from './session-channel.ts';

/** `none` means that nobody is signed in, or that this is not known yet. */
export type TokenState = 'none' | 'valid' | 'expired' | 'inactive';

/** The session of a call is over because somebody logged out or another person logged in. */
export class SessionEndedError extends Error {
  override readonly name = 'SessionEndedError';

  constructor() {
    super('The call was not sent, because the session in which it was made has ended.');
  }
}

/** A call that does not count as use of the session. After a refusal it waits for a token other than `refusedToken`. */
export interface PassiveCall {
  readonly refusedToken: TransferredToken | undefined;
}

export interface TokenManagerOptions {
  readonly channel: SessionChannel;
  readonly lock: RenewalLock;
  readonly renew: RenewalCall;
  /** Returns true if another tab could answer a request for a token. */
  readonly isOtherTabPresent: () => Promise<boolean>;
  /** Username and `isAdmin` of the last person on this device. A renewal sends them if this tab has no token. */
  readonly hints: RenewalHints;
  readonly now: () => number;
  /** Resolves after the given milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /**
   * Called if another tab logged out or requested a reload, or if a token is of another person. Except for a reload,
   * the session ends afterwards.
   */
  readonly onLeave: (reason: 'logout' | 'reload' | 'otherPerson') => void;
}

/** Maximum wait for a newer token from other tabs. */
const answerTimeoutMs = 100;
/**
 * Delays before each retry of an unanswered renewal. All retries are within the period in which the server accepts a
 * refresh token again.
 */
const renewalPausesMs: readonly number[] = [400, 1500];
/** A token with a shorter lifetime is renewed only when a call needs it. */
const minProactiveLifetimeMs = 60_000;
/** If a call was made with the token, it is renewed this long before its expiry. */
const proactiveMarginMs = 30_000;

/**
 * Keeps this tab's access token in sync with all other tabs. Orders tokens by `issuedAt` and ignores messages about
 * older tokens. `#renewing` limits this tab to one renewal at a time. The lock limits all tabs together to one.
 */
export class TokenManager {
  state: TokenState = 'none';
  token: TransferredToken | undefined = undefined;
  /** Why the session last expired. Undefined while the session is valid. */
  failure: 'refused' | 'replyWithoutToken' | undefined = undefined;

  readonly #options: TokenManagerOptions;
  readonly #stopListening: () => void;
  readonly #changeListeners = new Set<() => void>();
  /** Counts ended sessions. A call or answer that started with an older number belongs to an ended session. */
  #sessionNumber = 0;
  #ended = false;
  /** Tokens issued up to this time were refused. */
  #refusedUpTo = 0;
  #lastUsedAt = 0;
  #renewing: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: TokenManagerOptions) {
    this.#options = options;
    makeObservable(this, { state: observable, token: observableRef, failure: observable });
    this.#stopListening = options.channel.listen((message) => this.#handleMessage(message));
  }

  get sessionNumber(): number {
    return this.#sessionNumber;
  }

  dispose(): void {
    this.#stopListening();
    clearTimeout(this.#timer);
  }

  /**
   * Returns the token for a call, or undefined if nobody is signed in. While the session is expired, waits for a login
   * in another tab. Rejects with the signal's reason, or with `SessionEndedError` if the session has ended.
   */
  async waitForToken(
    sessionNumber: number,
    signal?: AbortSignal,
    passiveCall?: PassiveCall,
  ): Promise<TransferredToken | undefined> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#ended || this.#sessionNumber !== sessionNumber) throw new SessionEndedError();
      const isRefused = passiveCall?.refusedToken !== undefined && passiveCall.refusedToken === this.token;
      if (this.state !== 'expired' && !isRefused) break;
      await this.#waitForChange(signal);
    }
    if (!passiveCall) this.#lastUsedAt = this.#options.now();
    return this.token;
  }

  /**
   * Gets a token newer than `staleToken`, from another tab or by one renewal shared by all callers. A refusal changes
   * `state`. Rejects if there is no answer or if the session has ended.
   */
  renew(staleToken: TransferredToken | undefined, signal?: AbortSignal): Promise<void> {
    if (this.#ended) return Promise.reject(new SessionEndedError());
    this.#renewing ??= this.#renewLocked(staleToken?.issuedAt ?? 0).finally(() => {
      this.#renewing = undefined;
    });
    return abortable(this.#renewing, signal);
  }

  /** Starts a session with an existing token. */
  adopt(token: TransferredToken): void {
    this.#storeToken(token);
  }

  /** Gets the token of another tab, or renews. Resolves to true if somebody is signed in. */
  async resume(): Promise<boolean> {
    if (this.state === 'none') await this.renew(undefined);
    return this.state === 'valid';
  }

  /**
   * Must be called if the server refused a call again with a renewed token. Expires the session unless there is a newer
   * token.
   */
  expire(token: TransferredToken | undefined): void {
    if (this.state !== 'valid' || token === undefined || this.#hasValidTokenNewerThan(token.issuedAt)) return;
    this.#expireSession(token, 'refused');
  }

  /** Must be called if the server reported that the account is inactive. */
  setInactive(): void {
    this.#setState('inactive');
  }

  /** Ends the session and rejects waiting calls. */
  end(scope: 'thisTab' | 'allTabs'): void {
    this.#sessionNumber += 1;
    this.#ended = true;
    runInAction(() => {
      this.token = undefined;
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
    const sessionNumber = this.#sessionNumber;
    await this.#options.lock(async (contended) => {
      const otherTabMayHaveToken = contended || (this.token === undefined && (await this.#options.isOtherTabPresent()));
      if (otherTabMayHaveToken && !this.#needsNoRenewal(issuedAt)) await this.#requestFromTabs(issuedAt);
      if (this.#sessionNumber !== sessionNumber) throw new SessionEndedError();
      if (!this.#needsNoRenewal(issuedAt)) await this.#renewWithRetries();
      if (this.#sessionNumber !== sessionNumber) throw new SessionEndedError();
    });
  }

  async #renewWithRetries(): Promise<void> {
    const sessionNumber = this.#sessionNumber;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#options.renew(this.token ?? this.#options.hints);
      if (this.#sessionNumber !== sessionNumber) throw new SessionEndedError();
      if (outcome.kind === 'renewed') return this.#publishToken(outcome.token);
      if (outcome.kind === 'inactive') return this.#setState('inactive');
      if (outcome.kind === 'refused')
        return this.token ? this.#expireSession(this.token, outcome.reason) : this.#setState('none');
      const pauseMs = renewalPausesMs[attempt];
      if (pauseMs === undefined) throw outcome.error;
      await this.#options.wait(pauseMs);
      if (this.#sessionNumber !== sessionNumber) throw new SessionEndedError();
    }
  }

  async #requestFromTabs(issuedAt: number): Promise<void> {
    this.#options.channel.post({ type: 'TOKEN_WANTED', newerThan: issuedAt });
    await Promise.race([this.#waitForChange(), this.#options.wait(answerTimeoutMs)]);
  }

  #handleMessage(message: SessionMessage): void {
    switch (message.type) {
      case 'TOKEN_WANTED':
        if (this.token && this.#hasValidTokenNewerThan(message.newerThan) && this.token.expiresAt > this.#options.now())
          this.#options.channel.post({ type: 'TOKEN_VALID', token: this.token });
        break;
      case 'LOGIN':
        if (this.#isOfOtherPerson(message.token)) this.#endForOtherPerson();
        else this.#handleToken(message.token);
        break;
      case 'TOKEN_VALID':
        this.#handleToken(message.token);
        break;
      case 'TOKEN_INVALID':
        this.#refusedUpTo = Math.max(this.#refusedUpTo, message.issuedAt);
        if (this.state === 'valid' && this.token && this.token.issuedAt <= message.issuedAt) this.#setState('expired');
        break;
      case 'LOGOUT':
        this.#options.onLeave('logout');
        this.end('thisTab');
        break;
      case 'RELOAD':
        this.#options.onLeave('reload');
        break;
    }
  }

  #handleToken(token: TransferredToken): void {
    if (token.issuedAt <= Math.max(this.token?.issuedAt ?? 0, this.#refusedUpTo)) return;
    if (this.#isOfOtherPerson(token)) this.#endForOtherPerson();
    else this.#storeToken(token);
  }

  #isOfOtherPerson(token: TransferredToken): boolean {
    return this.token !== undefined && this.token.username !== token.username;
  }

  /**
   * Ends the session because another person logged in on this device, so that no call of this page is sent with the
   * other person's token.
   */
  #endForOtherPerson(): void {
    this.#options.onLeave('otherPerson');
    this.end('thisTab');
  }

  /**
   * Stores and sends the token of our own renewal, before the lock is released. It counts as the newest token, even if
   * the local clock went back.
   */
  #publishToken(token: TransferredToken): void {
    if (this.#isOfOtherPerson(token)) return this.#endForOtherPerson();
    const newest = {
      ...token,
      issuedAt: Math.max(token.issuedAt, (this.token?.issuedAt ?? 0) + 1, this.#refusedUpTo + 1),
    };
    this.#storeToken(newest);
    this.#options.channel.post({ type: 'TOKEN_VALID', token: newest });
  }

  #storeToken(token: TransferredToken): void {
    this.#ended = false;
    runInAction(() => {
      this.token = token;
      this.failure = undefined;
    });
    this.#setState('valid');
    clearTimeout(this.#timer);
    const storedAt = this.#options.now();
    if (token.expiresAt - storedAt < minProactiveLifetimeMs) return;
    this.#timer = setTimeout(
      () => {
        // An idle tab lets its token expire, so that the server's idle limit applies.
        if (this.#lastUsedAt >= storedAt) void this.renew(token).catch(() => undefined);
      },
      token.expiresAt - storedAt - proactiveMarginMs,
    );
  }

  #expireSession(token: TransferredToken, reason: 'refused' | 'replyWithoutToken'): void {
    this.#refusedUpTo = Math.max(this.#refusedUpTo, token.issuedAt);
    runInAction(() => {
      this.failure = reason;
    });
    this.#setState('expired');
    this.#options.channel.post({ type: 'TOKEN_INVALID', issuedAt: token.issuedAt });
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

  #hasValidTokenNewerThan(issuedAt: number): boolean {
    return this.state === 'valid' && this.token !== undefined && this.token.issuedAt > issuedAt;
  }

  /** True if the token issued at `issuedAt` needs no renewal: there is a newer one, or it was refused. */
  #needsNoRenewal(issuedAt: number): boolean {
    return this.#hasValidTokenNewerThan(issuedAt) || (this.state === 'expired' && this.#refusedUpTo >= issuedAt);
  }

  #waitForChange(signal?: AbortSignal): Promise<void> {
    return abortable(new Promise<void>((resolve) => this.#changeListeners.add(resolve)), signal);
  }
}
