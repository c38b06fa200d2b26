import type { Transaction } from 'kysely';
import { answerChallenge, completeChallengeEnrolment, coreRefusal, startChallengeEnrolment } from '#core/api';
import type { AccountRow } from '../../access/access-tables.ts';
import type { Api } from '../../kernel/server-plugin.ts';
import { conflict, invalidCode, invalidCredentials } from '../../kernel/server-error.ts';
import type { AuthTables } from '../auth-tables.ts';
import { toSessionClient, type SessionClient } from '../session-client.ts';
import { requestsCookie, type SessionReply } from '../session-reply.ts';
import { SessionRefusedError } from '../session-refused-error.ts';
import type { OpenSession, Sessions } from '../sessions.ts';
import type { RefusalReason, SignInAudit } from '../sign-in-audit.ts';
import type { SignInThrottle } from '../sign-in-throttle.ts';
import type { SecondFactors } from './second-factors.ts';
import type { SignInChallenges } from './sign-in-challenges.ts';

export interface SecondFactorLoginOptions {
  readonly sessions: Sessions;
  readonly reply: SessionReply;
  readonly throttle: SignInThrottle;
  readonly signIns: SignInAudit;
  readonly secondFactors: SecondFactors;
  readonly challenges: SignInChallenges;
}

/** The second step of a login by password: a code, or the enrolment of somebody who must have a second factor. */
export function serveSecondFactorLogin(api: Api, options: SecondFactorLoginOptions): void {
  const { sessions, reply, throttle, signIns, secondFactors, challenges } = options;

  const recordRefusal = (reason: RefusalReason, client: SessionClient, account: string | null) =>
    signIns.recordRefusal({ action: 'secondFactor.refused', reason, account, ...client });

  /** @throws `invalidCredentials` (401 E001): the person must enter the password again */
  const findAccount = async (challenge: string, client: SessionClient): Promise<AccountRow> => {
    const account = await challenges.findAccount(challenge);
    if (account !== undefined) return account;
    await recordRefusal('challengeOver', client, null);
    throw invalidCredentials();
  };

  /** Opens the session and runs `acceptSecondFactor` in one transaction. */
  const completeLogin = (
    account: AccountRow,
    challenge: string,
    client: SessionClient,
    acceptSecondFactor: (transaction: Transaction<AuthTables>) => Promise<string>,
  ): Promise<OpenSession> =>
    sessions
      .open(account.uid, account.password_hash, client, async (transaction, session) => {
        if (!(await challenges.close(transaction, challenge)))
          throw new SessionRefusedError('challengeOver', invalidCredentials(), account.uid);
        const usedFactor = await acceptSecondFactor(transaction);
        await signIns.record(
          {
            action: 'signIn.succeeded',
            account: account.uid,
            method: 'password',
            secondFactor: usedFactor,
            session,
            ...client,
          },
          transaction,
        );
      })
      .catch(async (error: unknown) => {
        if (!(error instanceof SessionRefusedError)) throw error;
        await recordRefusal(error.reason, client, account.uid);
        throw error.clientError;
      });

  api.serve(answerChallenge, async ({ body, http, requestId }) => {
    const client = toSessionClient(http, requestId);
    const account = await findAccount(body.challenge, client);
    await throttle.countAttempt('secondFactor', account.username, http.address).catch(async (error: unknown) => {
      await recordRefusal('throttled', client, account.uid);
      throw error;
    });
    const factor = await secondFactors.load(account.uid);
    const openSession = await completeLogin(account, body.challenge, client, async (transaction) => {
      // An admin has reset the second factor since the login began.
      if (factor === undefined) throw new SessionRefusedError('challengeOver', invalidCredentials(), account.uid);
      const acceptedCode = await secondFactors.accept(transaction, factor, body.code);
      if (acceptedCode === undefined) throw new SessionRefusedError('codeWrong', invalidCode(), account.uid);
      if (acceptedCode.by === 'RECOVERY')
        await signIns.record(
          {
            action: 'secondFactor.recoveryCodeUsed',
            account: account.uid,
            left: acceptedCode.recoveryCodesLeft,
            ...client,
          },
          transaction,
        );
      return acceptedCode.by;
    });
    await throttle.recordSuccess('secondFactor', account.username, http.address);
    return reply.write(openSession, http, requestsCookie(http));
  });

  api.serve(startChallengeEnrolment, async ({ body, http, requestId }) => {
    const { uid, username } = await findAccount(body.challenge, toSessionClient(http, requestId));
    http.setHeader('cache-control', 'no-store');
    return secondFactors.createKey(uid, username);
  });

  api.serve(completeChallengeEnrolment, async ({ body, http, requestId }) => {
    const client = toSessionClient(http, requestId);
    const account = await findAccount(body.challenge, client);
    const confirmedKey = await secondFactors.confirmKey(account.uid, body.enrolment, body.code);
    if (confirmedKey === 'expired') throw conflict(coreRefusal('core.refused.enrolmentExpired'));
    if (confirmedKey === undefined) {
      await recordRefusal('codeWrong', client, account.uid);
      throw invalidCode();
    }
    let recoveryCodes: string[] = [];
    const openSession = await completeLogin(account, body.challenge, client, async (transaction) => {
      recoveryCodes = await secondFactors.enrol(transaction, account.uid, confirmedKey);
      await signIns.record({ action: 'secondFactor.enrolled', account: account.uid, ...client }, transaction);
      return 'APP';
    });
    return { recoveryCodes, tokens: await reply.write(openSession, http, requestsCookie(http)) };
  });
}
