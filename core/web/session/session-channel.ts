import { sessionChannelName, type BroadcastType } from '#core';

/** An access token as tabs hand it to each other: held in memory, never stored. */
export interface TransferredTokens {
  readonly accessToken: string;
  readonly username: string;
  readonly isAdmin: boolean;
  /** Milliseconds since 1970, by this machine's clock: when it came, and when it ends. The newer one wins. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/**
 * What tabs of one origin tell each other. `LOGIN` and `TOKEN_VALID` both carry the tokens; `LOGIN` says that the
 * person may be another one.
 */
export type SessionMessage =
  | { readonly type: 'LOGIN' | 'TOKEN_VALID'; readonly tokens: TransferredTokens }
  /** `issuedAt` of the token that was refused: who holds a newer one lets the message pass. */
  | { readonly type: 'TOKEN_INVALID'; readonly issuedAt: number }
  | { readonly type: 'LOGOUT' | 'RELOAD' }
  /** Asks whether anybody holds a token newer than this; who does answers with `TOKEN_VALID`. */
  | { readonly type: 'TOKEN_WANTED'; readonly newerThan: number };

export interface SessionChannel {
  /** Reaches all other tabs, not the one that posts. */
  post(message: SessionMessage): void;
  /** Returns a function that ends the listening. */
  listen(listener: (message: SessionMessage) => void): () => void;
  close(): void;
}

const known = new Set<unknown>(['LOGOUT', 'LOGIN', 'RELOAD', 'TOKEN_VALID', 'TOKEN_INVALID', 'TOKEN_WANTED'] satisfies (
  | BroadcastType
  | 'TOKEN_WANTED'
)[]);

/**
 * The channel by which all tabs of the product share one session. Small and without dependencies: the sign-in entry
 * carries it too.
 */
export function openSessionChannel(): SessionChannel {
  const channel = new BroadcastChannel(sessionChannelName);
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => {
      const heard = (event: MessageEvent<SessionMessage>) => {
        if (known.has(event.data?.type)) listener(event.data);
      };
      channel.addEventListener('message', heard);
      return () => channel.removeEventListener('message', heard);
    },
    close: () => channel.close(),
  };
}

/** `issuedAt` and `expiresAt` from the server's answer, which says how many seconds are left. */
export function transferredTokens(
  reply: {
    readonly accessToken: string;
    readonly username: string;
    readonly isAdmin: boolean;
    readonly expiresIn: number;
  },
  now = Date.now(),
): TransferredTokens {
  return {
    accessToken: reply.accessToken,
    username: reply.username,
    isAdmin: reply.isAdmin,
    issuedAt: now,
    expiresAt: now + reply.expiresIn * 1000,
  };
}
