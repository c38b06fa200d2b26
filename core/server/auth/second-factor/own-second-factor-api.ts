import type { Kysely } from 'kysely';
import type { LoginType } from '#core';
import {
  confirmEnrolment,
  coreRefusal,
  getSecondFactor,
  renewRecoveryCodes,
  startEnrolment,
  turnOffSecondFactor,
} from '#core/api';
import { isAdminType } from '../../access/account.ts';
import type { Caller } from '../../access/caller.ts';
import type { Api, CallHttp } from '../../kernel/server-plugin.ts';
import { conflict, invalidRequest, notFound } from '../../kernel/server-error.ts';
import type { AccountMails } from '../account-mails.ts';
import type { AuthTables } from '../auth-tables.ts';
import { verifyPassword } from '../password-hash.ts';
import { toSessionClient } from '../session-client.ts';
import type { RefusalReason, RefusedAction, SignInAudit } from '../sign-in-audit.ts';
import type { SignInThrottle, ThrottledAction } from '../sign-in-throttle.ts';
import { removeSecondFactor, type AcceptedCode, type SecondFactors } from './second-factors.ts';

export interface OwnSecondFactorOptions {
  readonly tables: Kysely<AuthTables>;
  readonly throttle: SignInThrottle;
  readonly signIns: SignInAudit;
  readonly secondFactors: SecondFactors;
  readonly mails: AccountMails;
  readonly loginType: LoginType;
}

interface OwnCall {
  readonly caller: Caller;
  readonly http: CallHttp;
  readonly requestId: string;
}

const refusedActions = {
  password: 'password.refused',
  secondFactor: 'secondFactor.refused',
} as const satisfies Partial<Record<ThrottledAction, RefusedAction>>;

/** Endpoints by which signed-in people set their second factor up and turn it off. */
export function serveOwnSecondFactor(api: Api, options: OwnSecondFactorOptions): void {
  const { tables, throttle, signIns, secondFactors, mails, loginType } = options;

  /** Runs `check` under the throttle. If it returns undefined, throws an error that names the form field. */
  const verify = async <T>(
    { caller, http, requestId }: OwnCall,
    kind: keyof typeof refusedActions,
    check: () => Promise<T | undefined>,
  ): Promise<T> => {
    const refuse = (reason: RefusalReason) =>
      signIns.recordRefusal({
        action: refusedActions[kind],
        reason,
        account: caller.uid,
        ...toSessionClient(http, requestId),
      });
    await throttle.countAttempt(kind, caller.username, http.address).catch(async (error: unknown) => {
      await refuse('throttled');
      throw error;
    });
    const result = await check();
    if (result === undefined) {
      await refuse(kind === 'password' ? 'passwordWrong' : 'codeWrong');
      throw kind === 'password'
        ? invalidRequest('The password is wrong.', [
            { pointer: '/password', message: 'core.validation.currentPassword' },
          ])
        : createCodeError();
    }
    await throttle.recordSuccess(kind, caller.username, http.address);
    return result;
  };

  const verifyOwnPassword = async (call: OwnCall, password: string): Promise<void> => {
    await verify(call, 'password', async () => {
      const row = await tables
        .selectFrom('user_account')
        .select('password_hash')
        .where('uid', '=', call.caller.uid)
        .executeTakeFirst();
      return (await verifyPassword(row?.password_hash, password)) || undefined;
    });
  };

  /** Consumes the code and runs `change` in one transaction. */
  const changeByCode = async <T>(
    call: OwnCall,
    code: string,
    change: (transaction: Kysely<AuthTables>) => Promise<T>,
  ): Promise<T> => {
    const { caller, http, requestId } = call;
    const factor = await secondFactors.load(caller.uid);
    if (factor === undefined) throw notFound('This second factor');
    const accept = (): Promise<readonly [AcceptedCode, T] | undefined> =>
      tables.transaction().execute(async (transaction) => {
        const acceptedCode = await secondFactors.accept(transaction, factor, code);
        if (acceptedCode === undefined) return undefined;
        if (acceptedCode.by === 'RECOVERY')
          await signIns.record(
            {
              action: 'secondFactor.recoveryCodeUsed',
              account: caller.uid,
              left: acceptedCode.recoveryCodesLeft,
              ...toSessionClient(http, requestId),
            },
            transaction,
          );
        return [acceptedCode, await change(transaction)] as const;
      });
    const [, result] = await verify(call, 'secondFactor', accept);
    return result;
  };

  api.serve(getSecondFactor, async ({ caller }) => {
    const factor = await secondFactors.load(caller.uid);
    const row = await tables
      .selectFrom('user_account')
      .select('password_hash')
      .where('uid', '=', caller.uid)
      .executeTakeFirst();
    // With an identity provider, only admins may log in by password.
    const canUsePassword = loginType === 'EMAIL_PW' || isAdminType(caller.userType);
    return {
      available: factor !== undefined || (canUsePassword && (row?.password_hash ?? null) !== null),
      required: secondFactors.isRequired(caller.userType),
      since: factor?.since.toISOString() ?? null,
      recoveryCodesLeft: factor === undefined ? 0 : await secondFactors.countRecoveryCodes(caller.uid),
    };
  });

  api.serve(startEnrolment, async (call) => {
    await verifyOwnPassword(call, call.body.password);
    call.http.setHeader('cache-control', 'no-store');
    return secondFactors.createKey(call.caller.uid, call.caller.username);
  });

  api.serve(confirmEnrolment, async ({ caller, body, http, requestId }) => {
    const client = toSessionClient(http, requestId);
    const confirmedKey = await secondFactors.confirmKey(caller.uid, body.enrolment, body.code);
    if (confirmedKey === 'expired') throw conflict(coreRefusal('core.refused.enrolmentExpired'));
    if (confirmedKey === undefined) {
      await signIns.recordRefusal({
        action: 'secondFactor.refused',
        reason: 'codeWrong',
        account: caller.uid,
        ...client,
      });
      throw createCodeError();
    }
    http.setHeader('cache-control', 'no-store');
    return tables.transaction().execute(async (transaction) => {
      const recoveryCodes = await secondFactors.enrol(transaction, caller.uid, confirmedKey);
      await signIns.record({ action: 'secondFactor.enrolled', account: caller.uid, ...client }, transaction);
      return { recoveryCodes };
    });
  });

  api.serve(renewRecoveryCodes, async (call) => {
    const { caller, http, requestId } = call;
    http.setHeader('cache-control', 'no-store');
    return changeByCode(call, call.body.code, async (transaction) => {
      const recoveryCodes = await secondFactors.replaceRecoveryCodes(transaction, caller.uid);
      await signIns.record(
        { action: 'secondFactor.recoveryCodesRenewed', account: caller.uid, ...toSessionClient(http, requestId) },
        transaction,
      );
      return { recoveryCodes };
    });
  });

  api.serve(turnOffSecondFactor, async (call) => {
    const { caller, http, requestId } = call;
    if (secondFactors.isRequired(caller.userType)) throw conflict(coreRefusal('core.refused.secondFactorRequired'));
    await verifyOwnPassword(call, call.body.password);
    await changeByCode(call, call.body.code, async (transaction) => {
      await removeSecondFactor(transaction, caller.uid);
      await signIns.record(
        { action: 'secondFactor.turnedOff', account: caller.uid, ...toSessionClient(http, requestId) },
        transaction,
      );
      await mails.enqueueSecondFactorOff(transaction, caller.uid);
    });
    await mails.sendPending();
    return {};
  });
}

const createCodeError = (): Error =>
  invalidRequest('The code is wrong or was used already.', [
    { pointer: '/code', message: 'core.validation.secondFactorCode' },
  ]);
