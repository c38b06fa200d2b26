import { isCancel } from 'axios';
import { describe, expect, it } from 'vitest';
import { ApiError } from '#core/web';
import { answers, SessionTestHarness, settled } from '../../testing/web/session-test-harness.ts';
import { SessionEndedError } from './token-manager.ts';

const broadcasts = (tab: { readonly received: readonly { readonly type: string }[] }) =>
  tab.received.map(({ type }) => type);

describe('one tab', () => {
  it('[SES-01] sends the access token as a bearer token', async () => {
    const harness = new SessionTestHarness();
    await harness.get(harness.signedInTab());
    expect(harness.server.requests.map(({ token }) => token)).toEqual(['a0']);
  });

  it('[SES-02] renews once and retries once after a 401', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.signedInTab();
    harness.expire();
    await expect(harness.get(tab)).resolves.toMatchObject({ ok: true });
    expect(harness.renewals).toBe(1);
    expect(harness.server.sentTo('GET /api/thing').map(({ token }) => token)).toEqual(['a0', 'a1']);
  });

  it('[SES-03] race 1: shares one renewal between any number of failures and replays each call once', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.signedInTab();
    harness.expire();
    await Promise.all(Array.from({ length: 50 }, () => harness.get(tab)));
    expect(harness.renewals).toBe(1);
    expect(harness.server.sentTo('GET /api/thing')).toHaveLength(100);
  });

  it('[SES-03] race 3: replays a late 401 for a replaced token without a renewal', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.signedInTab();
    let answerLate: (() => void) | undefined;
    let held = true;
    harness.server.on('GET /api/slow', async ({ token }) => {
      if (held) await new Promise<void>((resolve) => (answerLate = resolve));
      return token === harness.valid ? { status: 200, body: 'slow' } : answers.refused();
    });
    const slow = tab.http.raw({ url: '/api/slow' });
    await settled();
    harness.expire();
    await harness.get(tab);
    held = false;
    answerLate?.();
    await expect(slow).resolves.toBe('slow');
    expect(harness.renewals).toBe(1);
  });

  it('[SES-04] race 4: shows the banner after a refused retry, for waiting calls too, without a loop', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.signedInTab();
    harness.server.on('GET /api/thing', answers.refused());
    const calls = [harness.get(tab), harness.get(tab), harness.get(tab)];
    await settled();
    expect(tab.tokenManager.state).toBe('expired');
    expect(harness.renewals).toBe(1);
    expect(harness.server.sentTo('GET /api/thing')).toHaveLength(6);
    tab.tokenManager.end(false);
    for (const call of calls) await expect(call).rejects.toBeInstanceOf(SessionEndedError);
  });

  it('[SES-04] race 5: expires the session after a refused renewal', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.signedInTab();
    harness.expire();
    harness.renewalAnswers = [answers.refused];
    void harness.get(tab).catch(() => undefined);
    await settled();
    expect(tab.tokenManager.state).toBe('expired');
    expect(harness.renewals).toBe(1);
  });

  it('[SES-06] race 5: expires the session if a renewal brings no access token, and reports why', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.signedInTab();
    harness.expire();
    harness.renewalAnswers = [answers.withoutToken];
    void harness.get(tab).catch(() => undefined);
    await settled();
    expect([tab.tokenManager.state, tab.tokenManager.failure]).toEqual(['expired', 'noAccessToken']);
  });

  it.each([
    ['a broken line', answers.broken],
    ['a 503', answers.status(503)],
    ['a 429', answers.status(429)],
  ])('race 5: %s during a renewal logs nobody out; the next call tries again', async (_, answer) => {
    const harness = new SessionTestHarness();
    const tab = harness.signedInTab();
    harness.expire();
    harness.renewalAnswers = [answer, answer, answer];
    await expect(harness.get(tab)).rejects.toBeInstanceOf(ApiError);
    expect(tab.tokenManager.state).toBe('valid');
    await expect(harness.get(tab)).resolves.toMatchObject({ ok: true });
  });

  it("race 6: repeats a renewal at once if its answer was lost, within the server's grace period", async () => {
    const harness = new SessionTestHarness();
    const tab = harness.signedInTab();
    harness.expire();
    harness.renewalAnswers = [answers.broken];
    await expect(harness.get(tab)).resolves.toMatchObject({ ok: true });
    expect(harness.renewals).toBe(2);
  });

  it('race 7: ignores the answer of a renewal after a logout', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.signedInTab();
    harness.expire();
    let answer: (() => void) | undefined;
    harness.renewalAnswers = [() => new Promise((resolve) => (answer = () => resolve(harness.rotate())))];
    const call = harness.get(tab);
    await settled();
    tab.tokenManager.end(true);
    answer?.();
    await expect(call).rejects.toBeInstanceOf(SessionEndedError);
    expect([tab.tokenManager.state, tab.tokenManager.tokens]).toEqual(['none', undefined]);
    await expect(harness.get(tab)).rejects.toBeInstanceOf(SessionEndedError);
    expect(harness.renewals).toBe(1);
  });

  it.each(['the call', 'the renewal', 'the retry'])(
    '[SES-05] race 9: E006 on %s means inactive, without a further renewal',
    async (where) => {
      const harness = new SessionTestHarness();
      const tab = harness.signedInTab();
      if (where === 'the call') harness.active = false;
      else harness.expire();
      if (where === 'the renewal') harness.renewalAnswers = [answers.inactive];
      if (where === 'the retry') {
        harness.renewalAnswers = [
          () => {
            const reply = harness.rotate();
            harness.active = false;
            return reply;
          },
        ];
      }
      await expect(harness.get(tab)).rejects.toMatchObject({
        status: 401,
        body: { code: 'E006', message: 'E006: Inactive User' },
      });
      expect(tab.tokenManager.state).toBe('inactive');
      expect(harness.renewals).toBe(where === 'the call' ? 0 : 1);
    },
  );

  it('race 10: drops a call that is aborted while it waits for the renewal', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.signedInTab();
    harness.expire();
    let answer: (() => void) | undefined;
    harness.renewalAnswers = [() => new Promise((resolve) => (answer = () => resolve(harness.rotate())))];
    const giveUp = new AbortController();
    const call = harness.get(tab, giveUp.signal);
    const other = harness.get(tab);
    await settled();
    giveUp.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    answer?.();
    await expect(other).resolves.toMatchObject({ ok: true });
    expect(harness.server.sentTo('GET /api/thing')).toHaveLength(3);
  });

  it('race 10: rejects a call at once if aborted in flight or behind the expired banner', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.signedInTab();
    harness.server.on('GET /api/never', () => new Promise(() => undefined));
    const inFlight = new AbortController();
    const sent = tab.http.raw({ url: '/api/never', signal: inFlight.signal });
    await settled();
    inFlight.abort();
    const failure = await sent.catch((cause: unknown) => cause);
    expect([isCancel(failure), (failure as Error).name]).toEqual([false, 'AbortError']);

    harness.familyAlive = false;
    harness.expire();
    const expired = new AbortController();
    const waiting = harness.get(tab, expired.signal);
    await settled();
    expired.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('race 13: a wrong clock only costs a renewal', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.signedInTab();
    harness.now -= 3_600_000;
    harness.expire();
    await expect(harness.get(tab)).resolves.toMatchObject({ ok: true });
    harness.now += 7_200_000;
    await expect(harness.get(tab)).resolves.toMatchObject({ ok: true });
    expect(harness.renewals).toBe(1);
  });

  it('race 16: replays uploads and forms completely', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.signedInTab();
    const form = new FormData();
    form.set('name', 'Ünit 4');
    form.set('file', new Blob(['x'.repeat(1000)], { type: 'image/png' }), 'a.png');
    for (const data of [
      form,
      new Blob(['raw']),
      { nested: { text: '"quoted"' } },
      '"json already"',
      new URLSearchParams({ a: '1' }),
    ]) {
      harness.expire();
      await tab.http.raw({ method: 'POST', url: '/api/thing', data });
      const [first, second] = harness.server.sentTo('POST /api/thing').slice(-2);
      expect(second?.token).toBe(harness.valid);
      expect(second?.body).toEqual(first?.body);
      expect(second?.header('content-type')).toBe(first?.header('content-type'));
    }
    expect(form.get('name')).toBe('Ünit 4');
  });

  it('race 17: shares one renewal between several clients of one page', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.signedInTab();
    const { SessionHttpClient } = await import('../http/http-client.ts');
    const { openTransport } = await import('../http/transport.ts');
    const second = new SessionHttpClient(openTransport(harness.server.adapter, ''), tab.tokenManager, () => 'en');
    harness.expire();
    await Promise.all([
      harness.get(tab),
      second.raw({ url: '/api/thing' }),
      harness.get(tab),
      second.raw({ url: '/api/thing' }),
    ]);
    expect(harness.renewals).toBe(1);
  });
});

describe('several tabs', () => {
  it.each([2, 8])(
    '[SES-13] race 2: %i tabs share one renewal, also without a grace period of the server',
    async (count) => {
      const harness = new SessionTestHarness();
      const tabs = Array.from({ length: count }, () => harness.signedInTab());
      for (let expiry = 1; expiry <= 10; expiry += 1) {
        harness.expire();
        await Promise.all(tabs.flatMap((tab) => [harness.get(tab), harness.get(tab), harness.get(tab)]));
        expect(harness.renewals).toBe(expiry);
      }
      expect(harness.reused).toBe(0);
      expect(new Set(tabs.map((tab) => tab.tokenManager.tokens?.accessToken))).toEqual(new Set(['a10']));
    },
  );

  it('[SES-04] [SES-07] a refusal in one tab expires the others by TOKEN_INVALID, with one renewal', async () => {
    const harness = new SessionTestHarness();
    const tabs = [harness.signedInTab(), harness.signedInTab(), harness.signedInTab()] as const;
    harness.familyAlive = false;
    harness.expire();
    for (const tab of tabs) void harness.get(tab).catch(() => undefined);
    await settled();
    expect(tabs.map(({ tokenManager }) => tokenManager.state)).toEqual(['expired', 'expired', 'expired']);
    expect(tabs.flatMap(broadcasts)).toContain('TOKEN_INVALID');
    expect(harness.renewals).toBe(1);
  });

  it('[SES-10] a login in another tab removes the banner and resumes waiting calls', async () => {
    const harness = new SessionTestHarness();
    const [tab, login] = [harness.signedInTab(), harness.openTab()];
    harness.familyAlive = false;
    harness.expire();
    const save = tab.http.raw({ method: 'POST', url: '/api/thing', data: { typed: 'kept' } });
    await settled();
    expect(tab.tokenManager.state).toBe('expired');
    harness.login(login);
    await expect(save).resolves.toMatchObject({ ok: true, body: { typed: 'kept' } });
    expect(tab.tokenManager.state).toBe('valid');
  });

  it("race 8: never sends one person's queued calls for another who logs in", async () => {
    const harness = new SessionTestHarness();
    const [tab, login] = [harness.signedInTab(), harness.openTab()];
    harness.familyAlive = false;
    harness.expire();
    const save = tab.http.raw({ method: 'POST', url: '/api/thing', data: 1 });
    await settled();
    harness.login(login, 'bob@example.com');
    await expect(save).rejects.toBeInstanceOf(SessionEndedError);
    expect(tab.ended).toEqual(['otherPerson']);
    expect(harness.server.sentTo('POST /api/thing')).toHaveLength(1);
  });

  it("race 8: ends the session if a renewal returns another person's token", async () => {
    const harness = new SessionTestHarness();
    const tab = harness.signedInTab();
    harness.expire();
    harness.username = 'bob@example.com';
    await expect(harness.get(tab)).rejects.toBeInstanceOf(SessionEndedError);
    expect(tab.ended).toEqual(['otherPerson']);
  });

  it('race 11: a tab closed during its renewal does not block the others', async () => {
    const harness = new SessionTestHarness();
    const [closing, other] = [harness.signedInTab(), harness.signedInTab()];
    harness.expire();
    let release: (() => void) | undefined;
    harness.renewalAnswers = [() => new Promise((resolve) => (release = () => resolve({ status: 0 })))];
    const lost = harness.get(closing).catch(() => undefined);
    await settled();
    const call = harness.get(other);
    await settled();
    closing.close();
    closing.tokenManager.end(false);
    release?.();
    await expect(call).resolves.toMatchObject({ ok: true });
    await lost;
  });

  it("race 12: a tab that slept through renewals takes another tab's token without a renewal", async () => {
    const harness = new SessionTestHarness();
    const [sleeper, other] = [harness.signedInTab(), harness.signedInTab()];
    sleeper.freeze();
    for (let expiry = 0; expiry < 3; expiry += 1) {
      harness.expire();
      harness.now += 60_000;
      await harness.get(other);
    }
    expect(harness.renewals).toBe(3);
    sleeper.wake();
    await expect(harness.get(sleeper)).resolves.toMatchObject({ ok: true });
    expect(harness.renewals).toBe(3);
  });

  it('race 12: a tab that slept and missed all messages renews once, and the others keep their session', async () => {
    const harness = new SessionTestHarness();
    const [sleeper, other] = [harness.signedInTab(), harness.signedInTab()];
    sleeper.freeze();
    harness.expire();
    harness.now += 60_000;
    await harness.get(other);
    other.freeze();
    await expect(harness.get(sleeper)).resolves.toMatchObject({ ok: true });
    expect([harness.renewals, harness.reused]).toEqual([2, 0]);
    other.wake();
    await expect(harness.get(other)).resolves.toMatchObject({ ok: true });
    expect([harness.renewals, harness.reused]).toEqual([2, 0]);
  });

  it('race 14: the timer and a 401 share one renewal', async () => {
    const harness = new SessionTestHarness();
    const [one, two] = [harness.signedInTab(), harness.signedInTab()];
    harness.expire();
    await Promise.all([
      one.tokenManager.renew(one.tokenManager.tokens),
      harness.get(one),
      two.tokenManager.renew(two.tokenManager.tokens),
      harness.get(two),
    ]);
    expect(harness.renewals).toBe(1);
  });

  it('race 18: ignores an older TOKEN_INVALID after a newer TOKEN_VALID, and vice versa', async () => {
    const harness = new SessionTestHarness();
    const [tab, sender] = [harness.signedInTab(), harness.openTab()];
    const old = harness.tokens();
    harness.login(sender);
    await settled();
    const channelMessages = [{ type: 'TOKEN_INVALID', issuedAt: old.issuedAt } as const];
    for (const message of channelMessages) harness.say(sender, message);
    await settled();
    expect(tab.tokenManager.state).toBe('valid');

    harness.say(sender, { type: 'TOKEN_INVALID', issuedAt: tab.tokenManager.tokens?.issuedAt ?? 0 });
    await settled();
    expect(tab.tokenManager.state).toBe('expired');
    harness.say(sender, { type: 'TOKEN_VALID', tokens: old });
    await settled();
    expect(tab.tokenManager.state).toBe('expired');
  });

  it('[SES-17] a LOGOUT in one tab ends the session of the others', async () => {
    const harness = new SessionTestHarness();
    const [tab, other] = [harness.signedInTab(), harness.signedInTab()];
    tab.tokenManager.end(true);
    await settled();
    expect([other.tokenManager.state, other.ended]).toEqual(['none', ['logout']]);
  });

  it('[SES-09] a RELOAD reloads the page', async () => {
    const harness = new SessionTestHarness();
    const [tab, other] = [harness.signedInTab(), harness.signedInTab()];
    tab.tokenManager.reloadOthers();
    await settled();
    expect(other.ended).toEqual(['reload']);
  });

  it('[SES-12] a new tab gets the access token from another without a renewal; alone, it renews', async () => {
    const harness = new SessionTestHarness();
    const first = harness.openTab({ username: 'ada@example.com' });
    await expect(first.tokenManager.resume()).resolves.toBe(true);
    expect(harness.renewals).toBe(1);
    const second = harness.openTab();
    await expect(second.tokenManager.resume()).resolves.toBe(true);
    expect(harness.renewals).toBe(1);
    expect(second.tokenManager.tokens?.accessToken).toBe(first.tokenManager.tokens?.accessToken);
  });

  it('[SES-12] a tab does not pass on an expired access token', async () => {
    const harness = new SessionTestHarness();
    const first = harness.openTab({ username: 'ada@example.com' });
    await first.tokenManager.resume();
    const second = harness.openTab();
    harness.now += harness.expiresIn * 1000;
    await expect(second.tokenManager.resume()).resolves.toBe(true);
    expect(harness.renewals).toBe(2);
    expect(broadcasts(second)).toEqual([]);
  });

  it('a refresh token refused at the start means signed out, without a message to other tabs', async () => {
    const harness = new SessionTestHarness();
    const [other, tab] = [harness.openTab(), harness.openTab()];
    harness.familyAlive = false;
    await expect(tab.tokenManager.resume()).resolves.toBe(false);
    expect(tab.tokenManager.state).toBe('none');
    expect(broadcasts(other)).toEqual(['TOKEN_WANTED']);
  });

  it('calls of one tab share one renewal without locks, too', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.signedInTab({ locks: undefined });
    harness.expire();
    await Promise.all(Array.from({ length: 20 }, () => harness.get(tab)));
    expect([harness.renewals, harness.reused]).toEqual([1, 0]);
  });

  it('tabs ask each other before a renewal without locks', async () => {
    const harness = new SessionTestHarness();
    const [one, two] = [harness.signedInTab({ locks: undefined }), harness.signedInTab({ locks: undefined })];
    harness.expire();
    await harness.get(one);
    two.tokenManager.adopt({ ...harness.tokens(), accessToken: 'a0', issuedAt: 1 });
    await harness.get(two);
    expect(harness.renewals).toBe(1);
  });
});
