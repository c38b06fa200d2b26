import { makeObservable, observable, observableRef, runInAction } from 'mobx';
import { abortable } from './abortable.ts';
import type { RenewalCall, RenewalHint } from '../http/renewal-call.ts';
import type { RenewalLock } from './renewal-lock.ts';
import type { TransferredTokens, SessionChannel, SessionMessage } from './session-channel.ts';

/** `none`: nobody is signed in here, or it is unknown yet. */
export type TokenState = 'none' | 'valid' | 'expired' | 'inactive';

/** The session of a call is over: somebody logged out, or another person logged in. */
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
  /** Whether another tab could answer a request. */
  readonly othersArePresent: () => Promise<boolean>;
  /** The last person signed in on this device. */
  readonly hint: () => RenewalHint;
  readonly now: () => number;
  /** Resolves after the given milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Another tab logged out, requested a reload, or logged in another person. Called before the state changes. */
  readonly onEnded: (why: 'logout' | 'reload' | 'otherPerson') => void;
}

/** Maximum wait in ms for other tabs to pass on a newer token. */
const answerTime = 100;
/**
 * Delays in ms before each retry of an unanswered renewal. All are within the server's grace period for a used token.
 */
const renewalPauses: readonly number[] = [400, 1500];
/** A token with a shorter lifetime, in ms, is renewed only when a call needs it. */
const shortLifeMs = 60_000;
/** A used token is renewed this many milliseconds before its expiry. */
const proactiveMarginMs = 30_000;

/**
 * Keeps this tab's access token in sync with all other tabs. Orders tokens by `issuedAt` and ignores messages about
 * older ones. One renewal runs at a time: within the tab by `#renewing`, among tabs by the lock.
 */
export class TokenManager {
  state: TokenState = 'none';
  tokens: TransferredTokens | undefined = undefined;
  /** Why the session was lost, if the server gave no reason. */
  failure: 'refused' | 'noAccessToken' | undefined = undefined;

  readonly #options: TokenManagerOptions;
  readonly #stopListening: () => void;
  readonly #changed = new Set<() => void>();
  /** Number of this tab's session, so that a late answer cannot revive an ended one. */
  #generation = 0;
  #ended = false;
  #refusedUpTo = 0;
  #usedAt = 0;
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
   * The token for a call; undefined if nobody is signed in. Waits while the session is expired, until a login in
   * another tab. Rejects with the signal's reason, or with `SessionEndedError` if the session of `generation` is over.
   */
  async waitForTokens(generation: number, signal?: AbortSignal): Promise<TransferredTokens | undefined> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#ended || this.#generation !== generation) throw new SessionEndedError();
      if (this.state !== 'expired') break;
      await this.#nextChange(signal);
    }
    this.#usedAt = this.#options.now();
    return this.tokens;
  }

  /**
   * Gets a token newer than `stale`, from another tab or by one renewal shared by all callers. A refusal sets `state`;
   * rejects without an answer or after the session ended.
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
    this.#hold(tokens);
  }

  /** Takes the token of another tab, or renews. Resolves to true if somebody is signed in. */
  async resume(): Promise<boolean> {
    if (this.state === 'none') await this.renew(undefined);
    return this.state === 'valid';
  }

  /** The server refused a call that was repeated with `tokens`. */
  refuse(tokens: TransferredTokens | undefined): void {
    if (this.state !== 'valid' || tokens === undefined || this.#isNewerThan(tokens.issuedAt)) return;
    this.#discardTokens(tokens, 'refused');
  }

  /** The server reported that the account is inactive. */
  deactivate(): void {
    this.#turn('inactive');
  }

  /** Ends the session in this tab and rejects waiting calls. `tell`: informs the other tabs, too. */
  end(notify: boolean): void {
    this.#generation += 1;
    this.#ended = true;
    runInAction(() => {
      this.tokens = undefined;
      this.failure = undefined;
    });
    this.#turn('none');
    if (notify) this.#options.channel.post({ type: 'LOGOUT' });
  }

  /** Runs `work` while no tab renews, so that no renewal overtakes a logout. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#options.lock(work);
  }

  reloadOthers(): void {
    this.#options.channel.post({ type: 'RELOAD' });
  }

  async #renewLocked(issuedAt: number): Promise<void> {
    const generation = this.#generation;
    await this.#options.lock(async (contended) => {
      const maybeElsewhere = contended || (this.tokens === undefined && (await this.#options.othersArePresent()));
      if (maybeElsewhere && !this.#isSettled(issuedAt)) await this.#requestFromTabs(issuedAt);
      if (this.#generation !== generation) throw new SessionEndedError();
      if (!this.#isSettled(issuedAt)) await this.#renewPatiently();
      if (this.#generation !== generation) throw new SessionEndedError();
    });
  }

  async #renewPatiently(): Promise<void> {
    const generation = this.#generation;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#options.renew(this.tokens ?? this.#options.hint());
      if (this.#generation !== generation) throw new SessionEndedError();
      if (outcome.kind === 'renewed') return this.#announce(outcome.tokens);
      if (outcome.kind === 'inactive') return this.#turn('inactive');
      if (outcome.kind === 'refused')
        return this.tokens ? this.#discardTokens(this.tokens, outcome.reason) : this.#turn('none');
      const pause = renewalPauses[attempt];
      if (pause === undefined) throw outcome.error;
      await this.#options.wait(pause);
      if (this.#generation !== generation) throw new SessionEndedError();
    }
  }

  async #requestFromTabs(issuedAt: number): Promise<void> {
    this.#options.channel.post({ type: 'TOKEN_WANTED', newerThan: issuedAt });
    await Promise.race([this.#nextChange(), this.#options.wait(answerTime)]);
  }

  #handleMessage(message: SessionMessage): void {
    switch (message.type) {
      case 'TOKEN_WANTED':
        if (this.tokens && this.#isNewerThan(message.newerThan) && this.tokens.expiresAt > this.#options.now())
          this.#options.channel.post({ type: 'TOKEN_VALID', tokens: this.tokens });
        break;
      case 'LOGIN':
        if (this.#isOfAnother(message.tokens)) this.#releaseLock();
        else this.#handleTokens(message.tokens);
        break;
      case 'TOKEN_VALID':
        this.#handleTokens(message.tokens);
        break;
      case 'TOKEN_INVALID':
        this.#refusedUpTo = Math.max(this.#refusedUpTo, message.issuedAt);
        if (this.state === 'valid' && this.tokens && this.tokens.issuedAt <= message.issuedAt) this.#turn('expired');
        break;
      case 'LOGOUT':
        this.#options.onEnded('logout');
        this.end(false);
        break;
      case 'RELOAD':
        this.#options.onEnded('reload');
        break;
    }
  }

  #handleTokens(tokens: TransferredTokens): void {
    if (tokens.issuedAt <= Math.max(this.tokens?.issuedAt ?? 0, this.#refusedUpTo)) return;
    if (this.#isOfAnother(tokens)) this.#releaseLock();
    else this.#hold(tokens);
  }

  #isOfAnother(tokens: TransferredTokens): boolean {
    return this.tokens !== undefined && this.tokens.username !== tokens.username;
  }

  /** Another person logged in on this device: this tab must not send anything for them. */
  #releaseLock(): void {
    this.#options.onEnded('otherPerson');
    this.end(false);
  }

  /**
   * A token of our own renewal counts as the newest, even if the local clock went back. Announced before the lock is
   * released.
   */
  #announce(tokens: TransferredTokens): void {
    if (this.#isOfAnother(tokens)) return this.#releaseLock();
    const newest = {
      ...tokens,
      issuedAt: Math.max(tokens.issuedAt, (this.tokens?.issuedAt ?? 0) + 1, this.#refusedUpTo + 1),
    };
    this.#hold(newest);
    this.#options.channel.post({ type: 'TOKEN_VALID', tokens: newest });
  }

  #hold(tokens: TransferredTokens): void {
    this.#ended = false;
    runInAction(() => {
      this.tokens = tokens;
      this.failure = undefined;
    });
    this.#turn('valid');
    clearTimeout(this.#timer);
    const heldAt = this.#options.now();
    if (tokens.expiresAt - heldAt < shortLifeMs) return;
    this.#timer = setTimeout(
      () => {
        // An idle tab lets its token expire, so that the server's idle limit applies.
        if (this.#usedAt >= heldAt) void this.renew(tokens).catch(() => undefined);
      },
      tokens.expiresAt - heldAt - proactiveMarginMs,
    );
  }

  #discardTokens(tokens: TransferredTokens, why: 'refused' | 'noAccessToken'): void {
    this.#refusedUpTo = Math.max(this.#refusedUpTo, tokens.issuedAt);
    runInAction(() => {
      this.failure = why;
    });
    this.#turn('expired');
    this.#options.channel.post({ type: 'TOKEN_INVALID', issuedAt: tokens.issuedAt });
  }

  #turn(state: TokenState): void {
    runInAction(() => {
      this.state = state;
    });
    if (state !== 'valid') clearTimeout(this.#timer);
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const resolve of changed) resolve();
  }

  #isNewerThan(issuedAt: number): boolean {
    return this.state === 'valid' && this.tokens !== undefined && this.tokens.issuedAt > issuedAt;
  }

  /** Whether another tab learned the result for the token issued at `known`: a newer token or a final refusal. */
  #isSettled(issuedAt: number): boolean {
    return this.#isNewerThan(issuedAt) || (this.state === 'expired' && this.#refusedUpTo >= issuedAt);
  }

  #nextChange(signal?: AbortSignal): Promise<void> {
    return abortable(new Promise<void>((resolve) => this.#changed.add(resolve)), signal);
  }
}
