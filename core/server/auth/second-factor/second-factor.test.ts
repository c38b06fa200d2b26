import { Secret as TotpSecret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  answerChallenge,
  changePassword,
  completeChallengeEnrolment,
  confirmEnrolment,
  getMe,
  getPerson,
  getSecondFactor,
  login,
  renewRecoveryCodes,
  resetSecondFactor,
  startChallengeEnrolment,
  startEnrolment,
  turnOffSecondFactor,
} from '#core/api';
import { createBrowserCalls, readMails } from '../../../testing/auth-server.ts';
import { createTestClock } from '../../../testing/test-clock.ts';
import {
  describeOnDatabases,
  startTestServer,
  testProduct,
  type TestPerson,
  type TestServer,
} from '../../../testing/server.ts';
import { Jobs } from '../../jobs/jobs.ts';
import { Secret } from '../../kernel/secret.ts';
import type { AuthTables } from '../auth-tables.ts';
import { KeyRing } from '../key-ring.ts';
import { SecondFactorResets } from './second-factor-resets.ts';
import { SealedKeys } from './sealed-keys.ts';

const stepMs = 30_000;
const minuteMs = 60_000;

describeOnDatabases('the second factor', (kind) => {
  const clock = createTestClock();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      clock,
      product: { ...testProduct, login: { ...testProduct.login, adminsNeedSecondFactor: true } },
    });
  });
  afterAll(() => server.close());

  const generate = (key: string, at = clock.now()) =>
    new TOTP({ secret: TotpSecret.fromBase32(key) }).generate({ timestamp: at });
  const enter = async ({ username, password }: TestPerson) => {
    const { body } = await server.call(login, { body: { username, password } });
    if (!('challenge' in body)) throw new Error('There is no challenge.');
    return body;
  };
  const answer = (challenge: string, code: string, calls: Pick<TestServer, 'call'> = server) =>
    calls.call(answerChallenge, { body: { challenge, code } });
  /** Adds a person with a second factor, and moves the clock to an unused step. */
  const enrol = async () => {
    const person = await server.addPerson();
    const token = await server.signIn(person);
    const startedEnrolment = (await server.call(startEnrolment, { body: { password: person.password }, token })).body;
    const confirm = (code: string) =>
      server.call(confirmEnrolment, { body: { enrolment: startedEnrolment.enrolment, code }, token });
    expect((await confirm('000000')).refusal.fields?.[0]?.pointer).toBe('/code');
    const confirmReply = await confirm(generate(startedEnrolment.key));
    expect(confirmReply.status).toBe(200);
    clock.advance(stepMs);
    return {
      person,
      token,
      key: startedEnrolment.key,
      address: startedEnrolment.address,
      codes: confirmReply.body.recoveryCodes,
    };
  };
  const readAudit = async (account: string) =>
    (
      await server.database
        .of<AuthTables>('core')
        .selectFrom('audit_log')
        .select(['action', 'details'])
        .where('subject', '=', account)
        .orderBy('at')
        .execute()
    ).map(({ action, details }) => [action, JSON.parse(JSON.stringify(details)) as unknown] as const);

  it('[SEC-03] answers a right password with a challenge, and an app code with tokens; a challenge and a code each work once', async () => {
    const { person, key, address } = await enrol();
    expect(address).toMatch(/^otpauth:\/\/totp\/.*&digits=6&period=30$/);
    const { challenge, ...rest } = await enter(person);
    expect(rest).toEqual({ step: 'CODE' });
    expect((await answer(challenge, '12345')).refusal.code).toBe('E011');
    const code = generate(key);
    const [first, second] = await Promise.all([answer(challenge, code), answer(challenge, code)]);
    expect([first.status, second.status].sort()).toEqual([200, 401]);
    const tokens = [first, second].find(({ status }) => status === 200)!.body;
    expect((await server.call(getMe, { token: tokens.accessToken })).body.username).toBe(person.username);
    const nextChallenge = (await enter(person)).challenge;
    expect((await answer(nextChallenge, code)).status).toBe(400);
    expect((await answer(nextChallenge, generate(key, clock.now() - stepMs))).status).toBe(400);
    expect(
      (
        await answer(
          nextChallenge,
          `${generate(key, clock.now() + stepMs).slice(0, 3)} ${generate(key, clock.now() + stepMs).slice(3)}`,
        )
      ).status,
    ).toBe(200);
    clock.advance(3 * stepMs);
    expect((await answer((await enter(person)).challenge, generate(key, clock.now() + 2 * stepMs))).status).toBe(400);
    const otherEnrolment = await enrol();
    expect((await answer((await enter(otherEnrolment.person)).challenge, generate(key))).status).toBe(400);
  });

  it('[SEC-03] accepts each recovery code once, and returns the number of unused codes', async () => {
    const { person, codes, key, token } = await enrol();
    expect(new Set(codes).size).toBe(10);
    const typedCode = ` ${codes[0]!.toLowerCase().replaceAll('-', ' ')} `;
    expect((await answer((await enter(person)).challenge, typedCode)).status).toBe(200);
    expect((await answer((await enter(person)).challenge, codes[0]!)).status).toBe(400);
    expect((await server.call(getSecondFactor, { token })).body).toMatchObject({ recoveryCodesLeft: 9 });
    const renewReply = await server.call(renewRecoveryCodes, { body: { code: generate(key) }, token });
    expect(renewReply.body.recoveryCodes).toHaveLength(10);
    expect((await answer((await enter(person)).challenge, codes[1]!)).status).toBe(400);
    const storedText = JSON.stringify([
      await server.database.query('select * from core.recovery_code'),
      await server.database.query('select * from core.second_factor'),
      await server.database.query('select * from core.audit_log'),
    ]);
    for (const secret of [key, codes[2]!, codes[2]!.replaceAll('-', ''), renewReply.body.recoveryCodes[0]!])
      expect(storedText).not.toContain(secret);
    const entries = await readAudit(person.uid);
    expect(entries.find(([action]) => action === 'secondFactor.recoveryCodeUsed')?.[1]).toMatchObject({ left: 9 });
    expect(entries.map(([action]) => action)).toEqual(
      expect.arrayContaining(['secondFactor.enrolled', 'secondFactor.refused', 'secondFactor.recoveryCodesRenewed']),
    );
  });

  it('ends a challenge after ten minutes, and when the password is changed', async () => {
    const { person, key, token } = await enrol();
    const challengeBeforeChange = (await enter(person)).challenge;
    const changeReply = await server.call(changePassword, {
      body: { current: person.password, next: 'a quite new sentence' },
      token,
    });
    expect(changeReply.status).toBe(200);
    expect((await answer(challengeBeforeChange, generate(key))).refusal.code).toBe('E001');
    const { challenge: challengeAfterChange } = await enter({ ...person, password: 'a quite new sentence' });
    expect((await answer(challengeAfterChange, generate(key))).status).toBe(200);
    const expiringChallenge = (await enter({ ...person, password: 'a quite new sentence' })).challenge;
    clock.advance(10 * minuteMs);
    expect((await answer(expiringChallenge, generate(key))).refusal.code).toBe('E001');
  });

  it('slows guessing down by account and IP address, and locks nobody out', async () => {
    const { person, key } = await enrol();
    const attacker = createBrowserCalls(server, '192.0.2.66');
    const { challenge } = await enter(person);
    for (let guess = 0; guess < 10; guess++) expect((await answer(challenge, '000000', attacker)).status).toBe(400);
    const { status, headers } = await answer(challenge, generate(key), attacker);
    expect([status, headers['retry-after']]).toEqual([429, '1']);
    expect((await answer(challenge, generate(key), createBrowserCalls(server, '192.0.2.1'))).status).toBe(200);
  });

  it('[SEC-03] gives an admin without a second factor no tokens before one is set up', async () => {
    const admin = await server.addPerson({ userType: 'TENANT_ADMIN' });
    const { challenge, step: stepOfLogin } = await enter(admin);
    expect(stepOfLogin).toBe('ENROL');
    expect((await answer(challenge, '123456')).status).toBe(401);
    const start = () => server.call(startChallengeEnrolment, { body: { challenge } });
    const [first, second] = [(await start()).body, (await start()).body];
    expect(first.key).not.toBe(second.key);
    const complete = (enrolment: string, code: string, usedChallenge = challenge) =>
      server.call(completeChallengeEnrolment, { body: { challenge: usedChallenge, enrolment, code } });
    expect((await complete(first.enrolment, generate(second.key))).status).toBe(400);
    const stranger = (await enter(await server.addPerson({ userType: 'TENANT_ADMIN' }))).challenge;
    expect((await complete(first.enrolment, generate(first.key), stranger)).refusal.refusal?.message).toBe(
      'core.refused.enrolmentExpired',
    );
    const completeReply = await complete(first.enrolment, generate(first.key));
    expect(completeReply.body.recoveryCodes).toHaveLength(10);
    const token = completeReply.body.tokens.accessToken;
    expect((await server.call(getSecondFactor, { token })).body).toMatchObject({ required: true, available: true });
    expect((await complete(second.enrolment, generate(second.key))).status).toBe(401);
    const turnOffReply = await server.call(turnOffSecondFactor, {
      body: { password: admin.password, code: completeReply.body.recoveryCodes[0]! },
      token,
    });
    expect(turnOffReply.refusal.refusal?.message).toBe('core.refused.secondFactorRequired');
  });

  it('[SEC-03] is turned off by password and code, which a mail reports; a second enrolment is refused', async () => {
    const { person, token, key, codes } = await enrol();
    const secondReply = await server.call(startEnrolment, { body: { password: person.password }, token });
    expect(secondReply.refusal.refusal?.message).toBe('core.refused.secondFactorOn');
    const turnOff = (password: string, code: string) =>
      server.call(turnOffSecondFactor, { body: { password, code }, token });
    expect((await turnOff('wrong', generate(key))).refusal.fields?.[0]?.pointer).toBe('/password');
    expect((await turnOff(person.password, '000000')).refusal.fields?.[0]?.pointer).toBe('/code');
    expect((await turnOff(person.password, codes[0]!)).status).toBe(200);
    expect(
      (await readMails(server)).some(({ to, content }) => to === person.username && content.kind === 'secondFactorOff'),
    ).toBe(true);
    await server.signIn(person);
    expect((await readAudit(person.uid)).map(([action]) => action)).toContain('secondFactor.turnedOff');
  });

  it('[SEC-03] is reset by a user manager within their own access or by the command line, never by the person themselves', async () => {
    const clerk = await server.addPerson({ flags: ['userManagement', 'vrAccess'] });
    const clerkToken = await server.signIn(clerk);
    const reset = (person: string, token = clerkToken) =>
      server.call(resetSecondFactor, { params: { person }, body: {}, token });
    const { person, token, codes } = await enrol();
    const { challenge } = await enter(person);
    expect(
      (await server.call(getPerson, { params: { person: person.uid }, token: clerkToken })).body.secondFactor,
    ).toBe(true);
    expect((await reset(clerk.uid)).refusal.refusal?.message).toBe('core.refused.ownSecondFactor');
    const admin = await server.addPerson({ userType: 'TENANT_ADMIN' });
    expect((await reset(admin.uid)).refusal.refusal?.message).toBe('core.refused.grantAdmin');
    expect((await reset(person.uid)).status).toBe(200);
    expect((await reset(person.uid)).refusal.refusal?.message).toBe('core.refused.noSecondFactor');
    expect((await server.call(getMe, { token })).status).toBe(401);
    expect((await answer(challenge, codes[0]!)).status).toBe(401);
    await server.signIn(person);
    const otherPerson = (await enrol()).person;
    await server.service(SecondFactorResets).resetByUsername(otherPerson.username.toUpperCase());
    await server.signIn(otherPerson);
    const mails = (await readMails(server)).filter(({ content }) => content.kind === 'secondFactorOff');
    expect(mails.map(({ to }) => to)).toEqual(expect.arrayContaining([person.username, otherPerson.username]));
    expect((await readAudit(otherPerson.uid)).find(([action]) => action === 'secondFactor.reset')?.[1]).toMatchObject({
      by: 'commandLine',
    });
  });

  it('[SEC-03] ends the sessions of the person by a reset even if its mail job cannot be announced', async () => {
    const clerkToken = await server.signIn({ flags: ['userManagement', 'vrAccess'] });
    const { person, token } = await enrol();
    const notify = vi.spyOn(server.service(Jobs), 'notifyRunners').mockRejectedValueOnce(new Error('down'));
    const reset = await server.call(resetSecondFactor, { params: { person: person.uid }, body: {}, token: clerkToken });
    notify.mockRestore();
    expect([reset.status, (await server.call(getMe, { token })).status]).toEqual([200, 401]);
  });

  it('still opens stored app keys after its secret is rotated, while the former secret is configured', async () => {
    const { database } = server;
    const seals = (...secrets: readonly string[]) => {
      const [current, former] = secrets.map((secret) => new Secret(secret.repeat(40)));
      return new SealedKeys(new KeyRing(database, clock, current, former), clock);
    };
    const sealedKey = await seals('x').seal('stored', 'ann', 'KEY');
    const sealedByDatabaseKey = await seals().seal('stored', 'ann', 'KEY');
    expect(await seals('x').open('stored', 'ann', sealedKey)).toEqual({ key: 'KEY', outdated: false });
    expect(await seals('y', 'x').open('stored', 'ann', sealedKey)).toEqual({ key: 'KEY', outdated: true });
    expect(await seals('y').open('stored', 'ann', sealedByDatabaseKey)).toEqual({ key: 'KEY', outdated: true });
    expect(await seals('y').open('stored', 'ann', sealedKey)).toBeUndefined();
    expect(await seals('x').open('stored', 'eve', sealedKey)).toBeUndefined();
    expect(await seals('x').open('enrolment', 'ann', sealedKey)).toBeUndefined();
  });
});
