import type { HandedTokens } from './session-channel.ts';

let pending: HandedTokens | undefined;

/** Sign-in leaves the tokens here for the application that starts in the same document. */
export function handOver(tokens: HandedTokens): void {
  pending = tokens;
}

/** The tokens that sign-in left, once; undefined where the application was opened by itself. */
export function takeHandedOver(): HandedTokens | undefined {
  const tokens = pending;
  pending = undefined;
  return tokens;
}
