import { isCancel } from 'axios';
import { describe, expect, it } from 'vitest';
import { ApiError } from '#core/web';
import { fakeReplies, SessionTestHarness, settle } from '../../testing/web/session-test-harness.ts';
import { SessionEndedError } from './token-manager.ts';

const broadcasts = (tab: { readonly received: readonly { readonly type: string }[] }) =>
  tab.received.map(({ type }) => type);

describe('one tab', () => {
  it('[SES-01] sends the access token as a bearer token', async () => {
    const harness = new SessionTestHarness();
    await harness.get(harness.openSignedInTab());
    expect(harness.server.requests.map(({ token }) => token)).toEqual(['a0']);
  });

  it('[SES-02] renews once and retries once after a 401', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.openSignedInTab();
    harness.expire();
    await expect(harness.get(tab)).resolves.toMatchObject({ ok: true });
    expect(harness.renewalCount).toBe(1);
    expect(harness.server.sentTo('GET /api/thing').map(({ token }) => token)).toEqual(['a0', 'a1']);
  });

  it('[SES-03] race 1: shares one renewal between any number of failures and replays each call once', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.openSignedInTab();
    harness.expire();
    await Promise.all(Array.from({ length: 50 }, () => harness.get(tab)));
    expect(harness.renewalCount).toBe(1);
    expect(harness.server.sentTo('GET /api/thing')).toHaveLength(100);
  });

  it('[SES-03] race 3: replays a late 401 for a replaced token without a renewal', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.openSignedInTab();
    let answerLate: (() => void) | undefined;
    let isDelayed = true;
    harness.server.on('GET /api/slow', async ({ token }) => {
      if (isDelayed) await new Promise<void>((resolve) => (answerLate = resolve));
      return token === harness.validToken ? { status: 200, body: 'slow' } : fakeReplies.refused();
    });
    const slow = tab.http.raw({ url: '/api/slow' });
    await settle();
    harness.expire();
    await harness.get(tab);
    isDelayed = false;
    answerLate?.();
    await expect(slow).resolves.toBe('slow');
    expect(harness.renewalCount).toBe(1);
  });

  it('[SES-04] race 4: expires the session after a refused retry, without a loop', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.openSignedInTab();
    harness.server.on('GET /api/thing', fakeReplies.refused());
    const calls = [harness.get(tab), harness.get(tab), harness.get(tab)];
    await settle();
    expect(tab.tokenManager.state).toBe('expired');
    expect(harness.renewalCount).toBe(1);
    expect(harness.server.sentTo('GET /api/thing')).toHaveLength(6);
    tab.tokenManager.end('thisTab');
    for (const call of calls) await expect(call).rejects.toBeInstanceOf(SessionEndedError);
  });

  it('[SES-04] race 5: expires the session after a refused renewal', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.openSignedInTab();
    harness.expire();
    harness.renewalReplies = [fakeReplies.refused];
    void harness.get(tab).catch(() => undefined);
    await settle();
    expect(tab.tokenManager.state).toBe('expired');
    expect(harness.renewalCount).toBe(1);
  });

  it('[SES-06] race 5: expires the session with a reason if a renewal returns no access token', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.openSignedInTab();
    harness.expire();
    harness.renewalReplies = [fakeReplies.withoutToken];
    void harness.get(tab).catch(() => undefined);
    await settle();
    expect([tab.tokenManager.state, tab.tokenManager.failure]).toEqual(['expired', 'replyWithoutToken']);
  });

  it.each([
    ['a lost connection', fakeReplies.broken],
    ['a 503', fakeReplies.status(503)],
    ['a 429', fakeReplies.status(429)],
  ])('race 5: keeps the session after %s during a renewal, and renews at the next call', async (_, answer) => {
    const harness = new SessionTestHarness();
    const tab = harness.openSignedInTab();
    harness.expire();
    harness.renewalReplies = [answer, answer, answer];
    await expect(harness.get(tab)).rejects.toBeInstanceOf(ApiError);
    expect(tab.tokenManager.state).toBe('valid');
    await expect(harness.get(tab)).resolves.toMatchObject({ ok: true });
  });

  it("race 6: repeats a renewal at once if its answer was lost, within the server's grace period", async () => {
    const harness = new SessionTestHarness();
    const tab = harness.openSignedInTab();
    harness.expire();
    harness.renewalReplies = [fakeReplies.broken];
    await expect(harness.get(tab)).resolves.toMatchObject({ ok: true });
    expect(harness.renewalCount).toBe(2);
  });

  it('race 7: ignores the answer of a renewal after a logout', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.openSignedInTab();
    harness.expire();
    let answer: (() => void) | undefined;
    harness.renewalReplies = [() => new Promise((resolve) => (answer = () => resolve(harness.rotate())))];
    const call = harness.get(tab);
    await settle();
    tab.tokenManager.end('allTabs');
    answer?.();
    await expect(call).rejects.toBeInstanceOf(SessionEndedError);
    expect([tab.tokenManager.state, tab.tokenManager.token]).toEqual(['none', undefined]);
    await expect(harness.get(tab)).rejects.toBeInstanceOf(SessionEndedError);
    expect(harness.renewalCount).toBe(1);
  });

  it.each(['the call', 'the renewal', 'the retry'])(
    '[SES-05] race 9: becomes inactive after E006 on %s, without a further renewal',
    async (cause) => {
      const harness = new SessionTestHarness();
      const tab = harness.openSignedInTab();
      if (cause === 'the call') harness.accountActive = false;
      else harness.expire();
      if (cause === 'the renewal') harness.renewalReplies = [fakeReplies.inactive];
      if (cause === 'the retry') {
        harness.renewalReplies = [
          () => {
            const reply = harness.rotate();
            harness.accountActive = false;
            return reply;
          },
        ];
      }
      await expect(harness.get(tab)).rejects.toMatchObject({
        status: 401,
        body: { code: 'E006', message: 'E006: Inactive User' },
      });
      expect(tab.tokenManager.state).toBe('inactive');
      expect(harness.renewalCount).toBe(cause === 'the call' ? 0 : 1);
    },
  );

  it('race 10: drops a call that is aborted while it waits for the renewal', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.openSignedInTab();
    harness.expire();
    let answer: (() => void) | undefined;
    harness.renewalReplies = [() => new Promise((resolve) => (answer = () => resolve(harness.rotate())))];
    const controller = new AbortController();
    const call = harness.get(tab, controller.signal);
    const otherCall = harness.get(tab);
    await settle();
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    answer?.();
    await expect(otherCall).resolves.toMatchObject({ ok: true });
    expect(harness.server.sentTo('GET /api/thing')).toHaveLength(3);
  });

  it('race 10: rejects a call at once if it is aborted in flight or while the session is expired', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.openSignedInTab();
    harness.server.on('GET /api/never', () => new Promise(() => undefined));
    const inFlight = new AbortController();
    const request = tab.http.raw({ url: '/api/never', signal: inFlight.signal });
    await settle();
    inFlight.abort();
    const failure = await request.catch((cause: unknown) => cause);
    expect([isCancel(failure), (failure as Error).name]).toEqual([false, 'AbortError']);

    harness.sessionAlive = false;
    harness.expire();
    const abortController = new AbortController();
    const waitingCall = harness.get(tab, abortController.signal);
    await settle();
    abortController.abort();
    await expect(waitingCall).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('race 13: renews once if the clock is wrong', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.openSignedInTab();
    harness.now -= 3_600_000;
    harness.expire();
    await expect(harness.get(tab)).resolves.toMatchObject({ ok: true });
    harness.now += 7_200_000;
    await expect(harness.get(tab)).resolves.toMatchObject({ ok: true });
    expect(harness.renewalCount).toBe(1);
  });

  it('race 16: replays uploads and forms completely', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.openSignedInTab();
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
      expect(second?.token).toBe(harness.validToken);
      expect(second?.body).toEqual(first?.body);
      expect(second?.header('content-type')).toBe(first?.header('content-type'));
    }
    expect(form.get('name')).toBe('Ünit 4');
  });

  it('race 17: shares one renewal between several clients of one page', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.openSignedInTab();
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
    expect(harness.renewalCount).toBe(1);
  });
});

describe('several tabs', () => {
  it.each([2, 8])(
    '[SES-13] race 2: shares one renewal between %i tabs, also without a grace period of the server',
    async (count) => {
      const harness = new SessionTestHarness();
      const tabs = Array.from({ length: count }, () => harness.openSignedInTab());
      for (let expiry = 1; expiry <= 10; expiry += 1) {
        harness.expire();
        await Promise.all(tabs.flatMap((tab) => [harness.get(tab), harness.get(tab), harness.get(tab)]));
        expect(harness.renewalCount).toBe(expiry);
      }
      expect(harness.reuseCount).toBe(0);
      expect(new Set(tabs.map((tab) => tab.tokenManager.token?.accessToken))).toEqual(new Set(['a10']));
    },
  );

  it('[SES-04] [SES-07] expires other tabs by TOKEN_INVALID after a refusal in one tab', async () => {
    const harness = new SessionTestHarness();
    const tabs = [harness.openSignedInTab(), harness.openSignedInTab(), harness.openSignedInTab()] as const;
    harness.sessionAlive = false;
    harness.expire();
    for (const tab of tabs) void harness.get(tab).catch(() => undefined);
    await settle();
    expect(tabs.map(({ tokenManager }) => tokenManager.state)).toEqual(['expired', 'expired', 'expired']);
    expect(tabs.flatMap(broadcasts)).toContain('TOKEN_INVALID');
    expect(harness.renewalCount).toBe(1);
  });

  it('[SES-10] resumes waiting calls after a login in another tab', async () => {
    const harness = new SessionTestHarness();
    const [tab, login] = [harness.openSignedInTab(), harness.openTab()];
    harness.sessionAlive = false;
    harness.expire();
    const save = tab.http.raw({ method: 'POST', url: '/api/thing', data: { note: 'text' } });
    await settle();
    expect(tab.tokenManager.state).toBe('expired');
    harness.login(login);
    await expect(save).resolves.toMatchObject({ ok: true, body: { note: 'text' } });
    expect(tab.tokenManager.state).toBe('valid');
  });

  it("race 8: does not send a person's waiting calls after another person logs in", async () => {
    const harness = new SessionTestHarness();
    const [tab, login] = [harness.openSignedInTab(), harness.openTab()];
    harness.sessionAlive = false;
    harness.expire();
    const save = tab.http.raw({ method: 'POST', url: '/api/thing', data: 1 });
    await settle();
    harness.login(login, 'bob@example.com');
    await expect(save).rejects.toBeInstanceOf(SessionEndedError);
    expect(tab.leaveReasons).toEqual(['otherPerson']);
    expect(harness.server.sentTo('POST /api/thing')).toHaveLength(1);
  });

  it("race 8: ends the session if a renewal returns another person's token", async () => {
    const harness = new SessionTestHarness();
    const tab = harness.openSignedInTab();
    harness.expire();
    harness.username = 'bob@example.com';
    await expect(harness.get(tab)).rejects.toBeInstanceOf(SessionEndedError);
    expect(tab.leaveReasons).toEqual(['otherPerson']);
  });

  it('race 11: does not wait for a tab that was closed during its renewal', async () => {
    const harness = new SessionTestHarness();
    const [closing, other] = [harness.openSignedInTab(), harness.openSignedInTab()];
    harness.expire();
    let release: (() => void) | undefined;
    harness.renewalReplies = [() => new Promise((resolve) => (release = () => resolve({ status: 0 })))];
    const lostCall = harness.get(closing).catch(() => undefined);
    await settle();
    const call = harness.get(other);
    await settle();
    closing.close();
    closing.tokenManager.end('thisTab');
    release?.();
    await expect(call).resolves.toMatchObject({ ok: true });
    await lostCall;
  });

  it("race 12: takes another tab's token after a sleep, without a renewal", async () => {
    const harness = new SessionTestHarness();
    const [sleeper, other] = [harness.openSignedInTab(), harness.openSignedInTab()];
    sleeper.freeze();
    for (let expiry = 0; expiry < 3; expiry += 1) {
      harness.expire();
      harness.now += 60_000;
      await harness.get(other);
    }
    expect(harness.renewalCount).toBe(3);
    sleeper.wake();
    await expect(harness.get(sleeper)).resolves.toMatchObject({ ok: true });
    expect(harness.renewalCount).toBe(3);
  });

  it('race 12: renews once after a sleep without messages, and other tabs keep their session', async () => {
    const harness = new SessionTestHarness();
    const [sleeper, other] = [harness.openSignedInTab(), harness.openSignedInTab()];
    sleeper.freeze();
    harness.expire();
    harness.now += 60_000;
    await harness.get(other);
    other.freeze();
    await expect(harness.get(sleeper)).resolves.toMatchObject({ ok: true });
    expect([harness.renewalCount, harness.reuseCount]).toEqual([2, 0]);
    other.wake();
    await expect(harness.get(other)).resolves.toMatchObject({ ok: true });
    expect([harness.renewalCount, harness.reuseCount]).toEqual([2, 0]);
  });

  it('race 14: shares one renewal between the timer and a 401', async () => {
    const harness = new SessionTestHarness();
    const [one, two] = [harness.openSignedInTab(), harness.openSignedInTab()];
    harness.expire();
    await Promise.all([
      one.tokenManager.renew(one.tokenManager.token),
      harness.get(one),
      two.tokenManager.renew(two.tokenManager.token),
      harness.get(two),
    ]);
    expect(harness.renewalCount).toBe(1);
  });

  it('race 18: ignores an older TOKEN_INVALID after a newer TOKEN_VALID, and vice versa', async () => {
    const harness = new SessionTestHarness();
    const [tab, sender] = [harness.openSignedInTab(), harness.openTab()];
    const oldToken = harness.buildToken();
    harness.login(sender);
    await settle();
    const channelMessages = [{ type: 'TOKEN_INVALID', issuedAt: oldToken.issuedAt } as const];
    for (const message of channelMessages) harness.broadcast(sender, message);
    await settle();
    expect(tab.tokenManager.state).toBe('valid');

    harness.broadcast(sender, { type: 'TOKEN_INVALID', issuedAt: tab.tokenManager.token?.issuedAt ?? 0 });
    await settle();
    expect(tab.tokenManager.state).toBe('expired');
    harness.broadcast(sender, { type: 'TOKEN_VALID', token: oldToken });
    await settle();
    expect(tab.tokenManager.state).toBe('expired');
  });

  it('[SES-17] ends the session of other tabs by LOGOUT', async () => {
    const harness = new SessionTestHarness();
    const [tab, other] = [harness.openSignedInTab(), harness.openSignedInTab()];
    tab.tokenManager.end('allTabs');
    await settle();
    expect([other.tokenManager.state, other.leaveReasons]).toEqual(['none', ['logout']]);
  });

  it('[SES-09] reloads the page after RELOAD', async () => {
    const harness = new SessionTestHarness();
    const [tab, other] = [harness.openSignedInTab(), harness.openSignedInTab()];
    tab.tokenManager.reloadOthers();
    await settle();
    expect(other.leaveReasons).toEqual(['reload']);
  });

  it('[SES-12] gets the access token from another tab, or renews if there is no other tab', async () => {
    const harness = new SessionTestHarness();
    const first = harness.openTab({ username: 'ada@example.com' });
    await expect(first.tokenManager.resume()).resolves.toBe(true);
    expect(harness.renewalCount).toBe(1);
    const second = harness.openTab();
    await expect(second.tokenManager.resume()).resolves.toBe(true);
    expect(harness.renewalCount).toBe(1);
    expect(second.tokenManager.token?.accessToken).toBe(first.tokenManager.token?.accessToken);
  });

  it('[SES-12] does not send an expired access token to other tabs', async () => {
    const harness = new SessionTestHarness();
    const first = harness.openTab({ username: 'ada@example.com' });
    await first.tokenManager.resume();
    const second = harness.openTab();
    harness.now += harness.expiresIn * 1000;
    await expect(second.tokenManager.resume()).resolves.toBe(true);
    expect(harness.renewalCount).toBe(2);
    expect(broadcasts(second)).toEqual([]);
  });

  it('is signed out if the refresh token is refused at the start, without a message to other tabs', async () => {
    const harness = new SessionTestHarness();
    const [other, tab] = [harness.openTab(), harness.openTab()];
    harness.sessionAlive = false;
    await expect(tab.tokenManager.resume()).resolves.toBe(false);
    expect(tab.tokenManager.state).toBe('none');
    expect(broadcasts(other)).toEqual(['TOKEN_WANTED']);
  });

  it('shares one renewal between the calls of one tab, also without locks', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.openSignedInTab({ locks: undefined });
    harness.expire();
    await Promise.all(Array.from({ length: 20 }, () => harness.get(tab)));
    expect([harness.renewalCount, harness.reuseCount]).toEqual([1, 0]);
  });

  it('requests a token from other tabs before a renewal without locks', async () => {
    const harness = new SessionTestHarness();
    const [one, two] = [harness.openSignedInTab({ locks: undefined }), harness.openSignedInTab({ locks: undefined })];
    harness.expire();
    await harness.get(one);
    two.tokenManager.adopt({ ...harness.buildToken(), accessToken: 'a0', issuedAt: 1 });
    await harness.get(two);
    expect(harness.renewalCount).toBe(1);
  });
});
