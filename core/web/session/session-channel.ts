import { sessionChannelName, type BroadcastType } from '#core';

/** An access token that tabs exchange. It is only in memory and never stored. */
export interface TransferredToken {
  readonly accessToken: string;
  readonly username: string;
  readonly isAdmin: boolean;
  /** Milliseconds since 1970 by the local clock. The newer token wins. */
  readonly issuedAt: number;
  /** Milliseconds since 1970 by the local clock. */
  readonly expiresAt: number;
}

/**
 * Messages between tabs of one origin. `LOGIN` and `TOKEN_VALID` carry the token. `LOGIN` may concern another
 * person.
 */
export type SessionMessage =
  | { readonly type: 'LOGIN' | 'TOKEN_VALID'; readonly token: TransferredToken }
  /** `issuedAt` of the refused token. Tabs with a newer token ignore the message. */
  | { readonly type: 'TOKEN_INVALID'; readonly issuedAt: number }
  | { readonly type: 'LOGOUT' | 'RELOAD' }
  /** Requests a newer token. Tabs that have one reply with `TOKEN_VALID`. */
  | { readonly type: 'TOKEN_WANTED'; readonly newerThan: number };

export interface SessionChannel {
  /** Posts to all other tabs. */
  post(message: SessionMessage): void;
  /** Subscribes and returns a function that unsubscribes. */
  listen(listener: (message: SessionMessage) => void): () => void;
  close(): void;
}

const messageTypes = new Set<unknown>([
  'LOGOUT',
  'LOGIN',
  'RELOAD',
  'TOKEN_VALID',
  'TOKEN_INVALID',
  'TOKEN_WANTED',
] satisfies (BroadcastType | 'TOKEN_WANTED')[]);

/**
 * Opens the channel by which all tabs share one session. It is small and without dependencies, because the sign-in
 * entry includes it.
 */
export function openSessionChannel(): SessionChannel {
  const channel = new BroadcastChannel(sessionChannelName);
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => {
      const handleMessage = (event: MessageEvent<SessionMessage>) => {
        if (messageTypes.has(event.data?.type)) listener(event.data);
      };
      channel.addEventListener('message', handleMessage);
      return () => channel.removeEventListener('message', handleMessage);
    },
    close: () => channel.close(),
  };
}

/** Computes `issuedAt` and `expiresAt` from the server's reply, which has the remaining seconds. */
export function toTransferredToken(
  reply: {
    readonly accessToken: string;
    readonly username: string;
    readonly isAdmin: boolean;
    readonly expiresIn: number;
  },
  now = Date.now(),
): TransferredToken {
  return {
    accessToken: reply.accessToken,
    username: reply.username,
    isAdmin: reply.isAdmin,
    issuedAt: now,
    expiresAt: now + reply.expiresIn * 1000,
  };
}
