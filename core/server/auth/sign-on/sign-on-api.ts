import { exchangeCode, startSignOn } from '#core/api';
import type { Clock } from '../../kernel/clock.ts';
import type { Api } from '../../kernel/server-plugin.ts';
import { inactiveUser, noAccess, ServerError } from '../../kernel/server-error.ts';
import type { KeyRing } from '../key-ring.ts';
import { toSessionClient, type SessionClient } from '../session-client.ts';
import { requestsCookie, type SessionReply } from '../session-reply.ts';
import { SessionRefusedError } from '../session-refused-error.ts';
import type { Sessions } from '../sessions.ts';
import type { RefusalReason, SignInAudit } from '../sign-in-audit.ts';
import type { FederatedIdentities } from './federated-identities.ts';
import { signOnFailed, type IdentityProviders } from './identity-providers.ts';
import { openTransaction, sealTransaction, signOnLifetimeSeconds } from './sign-on-transaction.ts';

export interface SignOnParts {
  readonly keys: KeyRing;
  readonly clock: Clock;
  readonly providers: IdentityProviders;
  readonly identities: FederatedIdentities;
  readonly sessions: Sessions;
  readonly reply: SessionReply;
  readonly signIns: SignInAudit;
}

const transactionCookie = 'signOn';
const transactionPath = '/auth/pub/azure';

/** Single sign-on to existing accounts; it creates none. */
export function serveSignOn(
  api: Api,
  { keys, clock, providers, identities, sessions, reply, signIns }: SignOnParts,
): void {
  const refuse = (
    reason: RefusalReason,
    client: SessionClient,
    facts: { readonly method?: string; readonly account?: string | null } = {},
  ) => signIns.recordRefusal({ deed: 'signIn.refused', reason, account: null, ...client, ...facts });

  /** Records why the provider failed or refused, and throws the caller's error. */
  const recordFailure =
    (client: SessionClient, method: string) =>
    async (error: unknown): Promise<never> => {
      if (error instanceof ServerError)
        await refuse(error.status === 503 ? 'providerUnavailable' : 'providerRefused', client, { method });
      throw error;
    };

  api.serve(startSignOn, async ({ query, http, requestId }) => {
    const client = toSessionClient(http, requestId);
    const { address, transaction } = await providers.begin(query.provider).catch(recordFailure(client, query.provider));
    http.setCookie(transactionCookie, await sealTransaction(keys, clock, transaction), {
      path: transactionPath,
      httpOnly: true,
      maxAgeSeconds: signOnLifetimeSeconds,
    });
    http.setHeader('cache-control', 'no-store');
    return { address };
  });

  api.serve(exchangeCode, async ({ query, http, requestId }) => {
    const client = toSessionClient(http, requestId);
    const transaction = await openTransaction(keys, clock, http.cookies[transactionCookie]);
    // Each start allows one attempt, whatever its result.
    http.clearCookie(transactionCookie, { path: transactionPath, httpOnly: true });
    if (transaction === undefined) {
      await refuse('signOnNotStarted', client);
      throw signOnFailed();
    }
    const method = transaction.provider;
    const identity = await providers.complete(transaction, query).catch(recordFailure(client, method));
    const found = await identities.findAccount(method, identity, client);
    if ('refused' in found) {
      await refuse(found.refused, client, { method, account: found.account });
      throw found.refused === 'accountInactive'
        ? inactiveUser()
        : noAccess('You have no access to this application. Please ask the admin for access.');
    }
    const { account } = found;
    const open = await sessions
      .open(account, null, client, (opening, session) =>
        signIns.record(
          { deed: 'signIn.succeeded', account, method, issuer: identity.issuer, session, ...client },
          opening,
        ),
      )
      .catch(async (error: unknown) => {
        if (!(error instanceof SessionRefusedError)) throw error;
        await refuse(error.reason, client, { method, account });
        throw error.answer;
      });
    return reply.reply(open, http, requestsCookie(http));
  });
}
