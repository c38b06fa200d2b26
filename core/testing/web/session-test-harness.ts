import { SessionHttpClient } from '../../web/http/http-client.ts';
import { openTransport } from '../../web/http/transport.ts';
import { createRenewalCall } from '../../web/http/renewal-call.ts';
import { openRenewalLock, isOtherTabPresent } from '../../web/session/renewal-lock.ts';
import type { SessionChannel, SessionMessage } from '../../web/session/session-channel.ts';
import { TokenManager } from '../../web/session/token-manager.ts';
import { FakeLocks } from './fake-locks.ts';
import { FakeServer, ConnectionLostError, type FakeReply } from './fake-server.ts';

const refusedReply: FakeReply = {
  status: 401,
  body: { code: 'E005', message: 'The token is expired.', reference: 'r' },
};
const inactive: FakeReply = { status: 401, body: { code: 'E006', message: 'E006: Inactive User', reference: 'r' } };

/** One tab of the harness. */
export interface Tab {
  readonly tokenManager: TokenManager;
  readonly http: SessionHttpClient;
  readonly leaveReasons: string[];
  /** Messages from other tabs, in order. */
  readonly received: SessionMessage[];
  /** A frozen tab receives no messages until it wakes. */
  freeze(): void;
  wake(): void;
  /** A closed tab does not reply. */
  close(): void;
}

/**
 * A server with one rotating refresh token and no grace period, and tabs of one browser. `now` advances only
 * by a millisecond at each login and renewal. `wait` only waits for pending replies.
 */
export class SessionTestHarness {
  readonly server = new FakeServer();
  readonly locks = new FakeLocks();
  readonly tabs: Tab[] = [];
  /** The server's current state. */
  validToken = 'a0';
  username = 'ada@example.com';
  renewalCount = 0;
  reuseCount = 0;
  accountActive = true;
  sessionAlive = true;
  /** Replies to the next renewals, in this order. After them the server replies itself. */
  renewalReplies: (() => FakeReply | Promise<FakeReply>)[] = [];
  now = 1_000_000;
  expiresIn = 30;
  #refreshToken = 0;
  /** The browser's cookie, shared by all tabs. */
  #cookie = 0;

  constructor() {
    this.server.on('POST /auth/pub/user/token/renew', () => this.#renew());
    this.server.on('POST /auth/pub/user/logout', () => {
      this.sessionAlive = false;
      this.validToken = 'none';
      return { status: 200, body: {} };
    });
    this.server.on('GET /api/thing', ({ token }) => this.#replyToThing(token));
    this.server.on('POST /api/thing', ({ token, body }) => this.#replyToThing(token, body));
  }

  /** Invalidates all issued access tokens. */
  expire(): void {
    this.validToken = 'unknown';
  }

  openTab(options: { readonly locks?: LockManager | undefined; readonly username?: string } = {}): Tab {
    const locks = 'locks' in options ? options.locks : this.locks;
    const { username = '' } = options;
    const leaveReasons: string[] = [];
    const receivedMessages: SessionMessage[] = [];
    let listener: ((message: SessionMessage) => void) | undefined;
    let isOpen = true;
    let isFrozen = false;
    let missedMessages: SessionMessage[] = [];
    const channel: SessionChannel & { deliver(message: SessionMessage): void } = {
      post: (message) => {
        for (const otherChannel of this.#channels)
          if (otherChannel !== channel) queueMicrotask(() => otherChannel.deliver(message));
      },
      listen: (callback) => {
        listener = callback;
        return () => (listener = undefined);
      },
      close: () => this.#channels.delete(channel),
      deliver: (message) => {
        if (!isOpen) return;
        if (isFrozen) missedMessages.push(message);
        else {
          receivedMessages.push(message);
          listener?.(message);
        }
      },
    };
    this.#channels.add(channel);
    const transport = openTransport(this.server.adapter, '');
    const tokenManager = new TokenManager({
      channel,
      lock: openRenewalLock(locks),
      renew: createRenewalCall(transport, () => this.now),
      isOtherTabPresent: async () => this.tabs.length > 1 && (await isOtherTabPresent(undefined)),
      hints: { username, isAdmin: false },
      now: () => this.now,
      wait: () => this.#wait(),
      onLeave: (reason) => leaveReasons.push(reason),
    });
    const tab: Tab = {
      tokenManager,
      http: new SessionHttpClient(transport, tokenManager, () => 'en'),
      leaveReasons,
      received: receivedMessages,
      freeze: () => (isFrozen = true),
      wake: () => {
        isFrozen = false;
        const messages = missedMessages;
        missedMessages = [];
        for (const message of messages) channel.deliver(message);
      },
      close: () => {
        isOpen = false;
        tokenManager.dispose();
        this.#channels.delete(channel);
      },
    };
    this.tabs.push(tab);
    return tab;
  }

  /** Opens a tab with an existing session. */
  openSignedInTab(options: Parameters<SessionTestHarness['openTab']>[0] = {}): Tab {
    const tab = this.openTab(options);
    tab.tokenManager.adopt(this.buildToken());
    return tab;
  }

  buildToken(username = this.username) {
    return {
      accessToken: this.validToken,
      username,
      isAdmin: false,
      issuedAt: this.now,
      expiresAt: this.now + this.expiresIn * 1000,
    };
  }

  /** Simulates a login in the tab `from`, as on the sign-in page. */
  login(from: Tab, username = this.username): void {
    this.username = username;
    this.sessionAlive = true;
    this.validToken = `login ${username} ${this.now}`;
    this.now += 1;
    const token = this.buildToken();
    for (const tab of this.tabs) if (tab !== from) queueMicrotask(() => this.#notify(tab, { type: 'LOGIN', token }));
  }

  get = (tab: Tab, signal?: AbortSignal) =>
    tab.http.raw<{ readonly ok: true; readonly body?: unknown }>({ url: '/api/thing', ...(signal ? { signal } : {}) });

  /** Sends a message to all other tabs. */
  broadcast(from: Tab, message: SessionMessage): void {
    for (const tab of this.tabs) if (tab !== from) this.#notify(tab, message);
  }

  readonly #channels = new Set<SessionChannel & { deliver(message: SessionMessage): void }>();

  #notify(tab: Tab, message: SessionMessage): void {
    [...this.#channels][this.tabs.indexOf(tab)]?.deliver(message);
  }

  async #renew(): Promise<FakeReply> {
    this.renewalCount += 1;
    const sentToken = this.#cookie;
    const answer = this.renewalReplies.shift();
    if (answer) return answer();
    // Delays the reply, so that other calls can fail before it arrives.
    await Promise.resolve();
    return this.rotate(sentToken);
  }

  /** Accepts a refresh token once. A second use revokes all tokens of the session. */
  rotate(sentToken: number = this.#cookie): FakeReply {
    if (!this.accountActive) return inactive;
    if (!this.sessionAlive) return refusedReply;
    if (sentToken !== this.#refreshToken) {
      this.reuseCount += 1;
      this.sessionAlive = false;
      return refusedReply;
    }
    this.#refreshToken += 1;
    this.now += 1;
    this.#cookie = this.#refreshToken;
    this.validToken = `a${this.#refreshToken}`;
    return {
      status: 200,
      body: {
        accessToken: this.validToken,
        refreshToken: 'cookie',
        username: this.username,
        isAdmin: false,
        expiresIn: this.expiresIn,
      },
    };
  }

  #replyToThing(token: string | undefined, body?: unknown): FakeReply {
    if (!this.accountActive) return inactive;
    return token === this.validToken
      ? { status: 200, body: { ok: true, token, ...(body === undefined ? {} : { body }) } }
      : refusedReply;
  }

  /** Waits just long enough for pending messages and replies. */
  async #wait(): Promise<void> {
    for (let round = 0; round < 50; round += 1) await Promise.resolve();
  }
}

export const fakeReplies = {
  broken: (): never => {
    throw new ConnectionLostError();
  },
  refused: () => refusedReply,
  inactive: () => inactive,
  status: (status: number) => () => ({ status }),
  withoutToken: () => ({ status: 200, body: {} }),
};

/** Waits until pending work has settled. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  await new Promise((resolve) => setTimeout(resolve));
}
