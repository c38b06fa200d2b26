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
import type { ProviderGroups } from './provider-groups.ts';
import type { FederatedIdentities } from './federated-identities.ts';
import { createSignOnError, type IdentityProviders } from './identity-providers.ts';
import { openTransaction, sealTransaction, signOnLifetimeSeconds } from './sign-on-transaction.ts';

export interface SignOnOptions {
  readonly keys: KeyRing;
  readonly clock: Clock;
  readonly providers: IdentityProviders;
  readonly identities: FederatedIdentities;
  readonly groups: ProviderGroups;
  readonly sessions: Sessions;
  readonly reply: SessionReply;
  readonly signIns: SignInAudit;
}

const transactionCookie = 'signOn';
const transactionPath = '/auth/pub/azure';

/** Single sign-on to existing accounts. It never creates an account. */
export function serveSignOn(
  api: Api,
  { keys, clock, providers, identities, groups, sessions, reply, signIns }: SignOnOptions,
): void {
  const recordRefusal = (
    reason: RefusalReason,
    client: SessionClient,
    auditDetails: { readonly method?: string; readonly account?: string | null } = {},
  ) => signIns.recordRefusal({ action: 'signIn.refused', reason, account: null, ...client, ...auditDetails });

  /** Returns a handler that records a failure or refusal of the provider and throws the error again. */
  const createFailureHandler =
    (client: SessionClient, method: string) =>
    async (error: unknown): Promise<never> => {
      if (error instanceof ServerError)
        await recordRefusal(error.status === 503 ? 'providerUnavailable' : 'providerRefused', client, { method });
      throw error;
    };

  api.serve(startSignOn, async ({ query, http, requestId }) => {
    const client = toSessionClient(http, requestId);
    const { url, transaction } = await providers
      .begin(query.provider)
      .catch(createFailureHandler(client, query.provider));
    http.setCookie(transactionCookie, await sealTransaction(keys, clock, transaction), {
      path: transactionPath,
      httpOnly: true,
      maxAgeSeconds: signOnLifetimeSeconds,
    });
    http.setHeader('cache-control', 'no-store');
    return { address: url };
  });

  api.serve(exchangeCode, async ({ query, http, requestId }) => {
    const client = toSessionClient(http, requestId);
    const transaction = await openTransaction(keys, clock, http.cookies[transactionCookie]);
    // Each start allows one attempt, whatever its result.
    http.clearCookie(transactionCookie, { path: transactionPath, httpOnly: true });
    if (transaction === undefined) {
      await recordRefusal('signOnNotStarted', client);
      throw createSignOnError();
    }
    const method = transaction.provider;
    const identity = await providers.complete(transaction, query).catch(createFailureHandler(client, method));
    const result = await identities.findAccount(method, identity, client);
    if ('refused' in result) {
      await recordRefusal(result.refused, client, { method, account: result.account });
      throw result.refused === 'accountInactive'
        ? inactiveUser()
        : noAccess('You have no access to this application. Please ask the admin for access.');
    }
    const { account } = result;
    await groups.apply({ account, provider: method, request: requestId }, identity.groups);
    const openSession = await sessions
      .open(account, null, client, (dbTransaction, session) =>
        signIns.record(
          { action: 'signIn.succeeded', account, method, issuer: identity.issuer, session, ...client },
          dbTransaction,
        ),
      )
      .catch(async (error: unknown) => {
        if (!(error instanceof SessionRefusedError)) throw error;
        await recordRefusal(error.reason, client, { method, account });
        throw error.clientError;
      });
    return reply.write(openSession, http, requestsCookie(http));
  });
}
