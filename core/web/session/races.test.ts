import { isCancel } from 'axios';
import { describe, expect, it } from 'vitest';
import { ApiError } from '#core/web';
import { answers, SessionTestHarness, settled } from '../../testing/web/session-test-harness.ts';
import { SessionEndedError } from './token-manager.ts';

const broadcasts = (tab: { readonly heard: readonly { readonly type: string }[] }) => tab.heard.map(({ type }) => type);

describe('one tab', () => {
  it('[SES-01] sends the access token as a bearer token', async () => {
    const ground = new SessionTestHarness();
    await ground.get(ground.signedInTab());
    expect(ground.server.requests.map(({ token }) => token)).toEqual(['a0']);
  });

  it('[SES-02] renews once and retries once after a 401', async () => {
    const ground = new SessionTestHarness();
    const tab = ground.signedInTab();
    ground.expire();
    await expect(ground.get(tab)).resolves.toMatchObject({ ok: true });
    expect(ground.renewals).toBe(1);
    expect(ground.server.sentTo('GET /api/thing').map(({ token }) => token)).toEqual(['a0', 'a1']);
  });

  it('[SES-03] race 1: shares one renewal between any number of failures and replays each call once', async () => {
    const ground = new SessionTestHarness();
    const tab = ground.signedInTab();
    ground.expire();
    await Promise.all(Array.from({ length: 50 }, () => ground.get(tab)));
    expect(ground.renewals).toBe(1);
    expect(ground.server.sentTo('GET /api/thing')).toHaveLength(100);
  });

  it('[SES-03] race 3: replays a late 401 for a replaced token without a renewal', async () => {
    const ground = new SessionTestHarness();
    const tab = ground.signedInTab();
    let answerLate: (() => void) | undefined;
    let held = true;
    ground.server.on('GET /api/slow', async ({ token }) => {
      if (held) await new Promise<void>((resolve) => (answerLate = resolve));
      return token === ground.valid ? { status: 200, body: 'slow' } : answers.refused();
    });
    const slow = tab.http.raw({ url: '/api/slow' });
    await settled();
    ground.expire();
    await ground.get(tab);
    held = false;
    answerLate?.();
    await expect(slow).resolves.toBe('slow');
    expect(ground.renewals).toBe(1);
  });

  it('[SES-04] race 4: shows the banner after a refused retry, for waiting calls too, without a loop', async () => {
    const ground = new SessionTestHarness();
    const tab = ground.signedInTab();
    ground.server.on('GET /api/thing', answers.refused());
    const calls = [ground.get(tab), ground.get(tab), ground.get(tab)];
    await settled();
    expect(tab.keeper.state).toBe('expired');
    expect(ground.renewals).toBe(1);
    expect(ground.server.sentTo('GET /api/thing')).toHaveLength(6);
    tab.keeper.end(false);
    for (const call of calls) await expect(call).rejects.toBeInstanceOf(SessionEndedError);
  });

  it('[SES-04] race 5: expires the session after a refused renewal', async () => {
    const ground = new SessionTestHarness();
    const tab = ground.signedInTab();
    ground.expire();
    ground.renewalAnswers = [answers.refused];
    void ground.get(tab).catch(() => undefined);
    await settled();
    expect(tab.keeper.state).toBe('expired');
    expect(ground.renewals).toBe(1);
  });

  it('[SES-06] race 5: expires the session if a renewal brings no access token, and reports why', async () => {
    const ground = new SessionTestHarness();
    const tab = ground.signedInTab();
    ground.expire();
    ground.renewalAnswers = [answers.withoutToken];
    void ground.get(tab).catch(() => undefined);
    await settled();
    expect([tab.keeper.state, tab.keeper.failure]).toEqual(['expired', 'noAccessToken']);
  });

  it.each([
    ['a broken line', answers.broken],
    ['a 503', answers.status(503)],
    ['a 429', answers.status(429)],
  ])('race 5: %s during a renewal logs nobody out; the next call tries again', async (_, answer) => {
    const ground = new SessionTestHarness();
    const tab = ground.signedInTab();
    ground.expire();
    ground.renewalAnswers = [answer, answer, answer];
    await expect(ground.get(tab)).rejects.toBeInstanceOf(ApiError);
    expect(tab.keeper.state).toBe('valid');
    await expect(ground.get(tab)).resolves.toMatchObject({ ok: true });
  });

  it("race 6: repeats a renewal at once if its answer was lost, within the server's grace period", async () => {
    const ground = new SessionTestHarness();
    const tab = ground.signedInTab();
    ground.expire();
    ground.renewalAnswers = [answers.broken];
    await expect(ground.get(tab)).resolves.toMatchObject({ ok: true });
    expect(ground.renewals).toBe(2);
  });

  it('race 7: ignores the answer of a renewal after a logout', async () => {
    const ground = new SessionTestHarness();
    const tab = ground.signedInTab();
    ground.expire();
    let answer: (() => void) | undefined;
    ground.renewalAnswers = [() => new Promise((resolve) => (answer = () => resolve(ground.rotate())))];
    const call = ground.get(tab);
    await settled();
    tab.keeper.end(true);
    answer?.();
    await expect(call).rejects.toBeInstanceOf(SessionEndedError);
    expect([tab.keeper.state, tab.keeper.tokens]).toEqual(['none', undefined]);
    await expect(ground.get(tab)).rejects.toBeInstanceOf(SessionEndedError);
    expect(ground.renewals).toBe(1);
  });

  it.each(['the call', 'the renewal', 'the retry'])(
    '[SES-05] race 9: E006 on %s means inactive, without a further renewal',
    async (where) => {
      const ground = new SessionTestHarness();
      const tab = ground.signedInTab();
      if (where === 'the call') ground.active = false;
      else ground.expire();
      if (where === 'the renewal') ground.renewalAnswers = [answers.inactive];
      if (where === 'the retry') {
        ground.renewalAnswers = [
          () => {
            const reply = ground.rotate();
            ground.active = false;
            return reply;
          },
        ];
      }
      await expect(ground.get(tab)).rejects.toMatchObject({
        status: 401,
        body: { code: 'E006', message: 'E006: Inactive User' },
      });
      expect(tab.keeper.state).toBe('inactive');
      expect(ground.renewals).toBe(where === 'the call' ? 0 : 1);
    },
  );

  it('race 10: drops a call that is aborted while it waits for the renewal', async () => {
    const ground = new SessionTestHarness();
    const tab = ground.signedInTab();
    ground.expire();
    let answer: (() => void) | undefined;
    ground.renewalAnswers = [() => new Promise((resolve) => (answer = () => resolve(ground.rotate())))];
    const giveUp = new AbortController();
    const call = ground.get(tab, giveUp.signal);
    const other = ground.get(tab);
    await settled();
    giveUp.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    answer?.();
    await expect(other).resolves.toMatchObject({ ok: true });
    expect(ground.server.sentTo('GET /api/thing')).toHaveLength(3);
  });

  it('race 10: rejects a call at once if aborted in flight or behind the expired banner', async () => {
    const ground = new SessionTestHarness();
    const tab = ground.signedInTab();
    ground.server.on('GET /api/never', () => new Promise(() => undefined));
    const onItsWay = new AbortController();
    const sent = tab.http.raw({ url: '/api/never', signal: onItsWay.signal });
    await settled();
    onItsWay.abort();
    const failure = await sent.catch((cause: unknown) => cause);
    expect([isCancel(failure), (failure as Error).name]).toEqual([false, 'AbortError']);

    ground.familyAlive = false;
    ground.expire();
    const behind = new AbortController();
    const waiting = ground.get(tab, behind.signal);
    await settled();
    behind.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('race 13: a wrong clock only costs a renewal', async () => {
    const ground = new SessionTestHarness();
    const tab = ground.signedInTab();
    ground.now -= 3_600_000;
    ground.expire();
    await expect(ground.get(tab)).resolves.toMatchObject({ ok: true });
    ground.now += 7_200_000;
    await expect(ground.get(tab)).resolves.toMatchObject({ ok: true });
    expect(ground.renewals).toBe(1);
  });

  it('race 16: replays uploads and forms completely', async () => {
    const ground = new SessionTestHarness();
    const tab = ground.signedInTab();
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
      ground.expire();
      await tab.http.raw({ method: 'POST', url: '/api/thing', data });
      const [first, second] = ground.server.sentTo('POST /api/thing').slice(-2);
      expect(second?.token).toBe(ground.valid);
      expect(second?.body).toEqual(first?.body);
      expect(second?.header('content-type')).toBe(first?.header('content-type'));
    }
    expect(form.get('name')).toBe('Ünit 4');
  });

  it('race 17: shares one renewal between several clients of one page', async () => {
    const ground = new SessionTestHarness();
    const tab = ground.signedInTab();
    const { SessionHttpClient } = await import('../http/http-client.ts');
    const { openTransport } = await import('../http/transport.ts');
    const second = new SessionHttpClient(openTransport(ground.server.adapter, ''), tab.keeper, () => 'en');
    ground.expire();
    await Promise.all([
      ground.get(tab),
      second.raw({ url: '/api/thing' }),
      ground.get(tab),
      second.raw({ url: '/api/thing' }),
    ]);
    expect(ground.renewals).toBe(1);
  });
});

describe('several tabs', () => {
  it.each([2, 8])(
    '[SES-13] race 2: %i tabs share one renewal, also without a grace period of the server',
    async (count) => {
      const ground = new SessionTestHarness();
      const tabs = Array.from({ length: count }, () => ground.signedInTab());
      for (let expiry = 1; expiry <= 10; expiry += 1) {
        ground.expire();
        await Promise.all(tabs.flatMap((tab) => [ground.get(tab), ground.get(tab), ground.get(tab)]));
        expect(ground.renewals).toBe(expiry);
      }
      expect(ground.reused).toBe(0);
      expect(new Set(tabs.map((tab) => tab.keeper.tokens?.accessToken))).toEqual(new Set(['a10']));
    },
  );

  it('[SES-04] [SES-07] a refusal in one tab expires the others by TOKEN_INVALID, with one renewal in all', async () => {
    const ground = new SessionTestHarness();
    const tabs = [ground.signedInTab(), ground.signedInTab(), ground.signedInTab()] as const;
    ground.familyAlive = false;
    ground.expire();
    for (const tab of tabs) void ground.get(tab).catch(() => undefined);
    await settled();
    expect(tabs.map(({ keeper }) => keeper.state)).toEqual(['expired', 'expired', 'expired']);
    expect(tabs.flatMap(broadcasts)).toContain('TOKEN_INVALID');
    expect(ground.renewals).toBe(1);
  });

  it('[SES-10] a login in another tab removes the banner and resumes waiting calls', async () => {
    const ground = new SessionTestHarness();
    const [tab, login] = [ground.signedInTab(), ground.openTab()];
    ground.familyAlive = false;
    ground.expire();
    const save = tab.http.raw({ method: 'POST', url: '/api/thing', data: { typed: 'kept' } });
    await settled();
    expect(tab.keeper.state).toBe('expired');
    ground.login(login);
    await expect(save).resolves.toMatchObject({ ok: true, body: { typed: 'kept' } });
    expect(tab.keeper.state).toBe('valid');
  });

  it("race 8: never sends one person's queued calls for another who logs in", async () => {
    const ground = new SessionTestHarness();
    const [tab, login] = [ground.signedInTab(), ground.openTab()];
    ground.familyAlive = false;
    ground.expire();
    const save = tab.http.raw({ method: 'POST', url: '/api/thing', data: 1 });
    await settled();
    ground.login(login, 'bob@example.com');
    await expect(save).rejects.toBeInstanceOf(SessionEndedError);
    expect(tab.ended).toEqual(['otherPerson']);
    expect(ground.server.sentTo('POST /api/thing')).toHaveLength(1);
  });

  it("race 8: ends the session if a renewal returns another person's token", async () => {
    const ground = new SessionTestHarness();
    const tab = ground.signedInTab();
    ground.expire();
    ground.username = 'bob@example.com';
    await expect(ground.get(tab)).rejects.toBeInstanceOf(SessionEndedError);
    expect(tab.ended).toEqual(['otherPerson']);
  });

  it('race 11: a tab closed during its renewal does not block the others', async () => {
    const ground = new SessionTestHarness();
    const [closing, other] = [ground.signedInTab(), ground.signedInTab()];
    ground.expire();
    let release: (() => void) | undefined;
    ground.renewalAnswers = [() => new Promise((resolve) => (release = () => resolve({ status: 0 })))];
    const lost = ground.get(closing).catch(() => undefined);
    await settled();
    const call = ground.get(other);
    await settled();
    closing.close();
    closing.keeper.end(false);
    release?.();
    await expect(call).resolves.toMatchObject({ ok: true });
    await lost;
  });

  it("race 12: a tab that slept through renewals takes another tab's token without a renewal", async () => {
    const ground = new SessionTestHarness();
    const [sleeper, other] = [ground.signedInTab(), ground.signedInTab()];
    sleeper.freeze();
    for (let expiry = 0; expiry < 3; expiry += 1) {
      ground.expire();
      ground.now += 60_000;
      await ground.get(other);
    }
    expect(ground.renewals).toBe(3);
    sleeper.wake();
    await expect(ground.get(sleeper)).resolves.toMatchObject({ ok: true });
    expect(ground.renewals).toBe(3);
  });

  it('race 12: a tab that slept and missed all messages renews once, and the others keep their session', async () => {
    const ground = new SessionTestHarness();
    const [sleeper, other] = [ground.signedInTab(), ground.signedInTab()];
    sleeper.freeze();
    ground.expire();
    ground.now += 60_000;
    await ground.get(other);
    other.freeze();
    await expect(ground.get(sleeper)).resolves.toMatchObject({ ok: true });
    expect([ground.renewals, ground.reused]).toEqual([2, 0]);
    other.wake();
    await expect(ground.get(other)).resolves.toMatchObject({ ok: true });
    expect([ground.renewals, ground.reused]).toEqual([2, 0]);
  });

  it('race 14: the timer and a 401 share one renewal', async () => {
    const ground = new SessionTestHarness();
    const [one, two] = [ground.signedInTab(), ground.signedInTab()];
    ground.expire();
    await Promise.all([
      one.keeper.renew(one.keeper.tokens),
      ground.get(one),
      two.keeper.renew(two.keeper.tokens),
      ground.get(two),
    ]);
    expect(ground.renewals).toBe(1);
  });

  it('race 18: an older TOKEN_INVALID does not undo a newer TOKEN_VALID, nor an old TOKEN_VALID a refusal', async () => {
    const ground = new SessionTestHarness();
    const [tab, sender] = [ground.signedInTab(), ground.openTab()];
    const old = ground.tokens();
    ground.login(sender);
    await settled();
    const channelMessages = [{ type: 'TOKEN_INVALID', issuedAt: old.issuedAt } as const];
    for (const message of channelMessages) ground.say(sender, message);
    await settled();
    expect(tab.keeper.state).toBe('valid');

    ground.say(sender, { type: 'TOKEN_INVALID', issuedAt: tab.keeper.tokens?.issuedAt ?? 0 });
    await settled();
    expect(tab.keeper.state).toBe('expired');
    ground.say(sender, { type: 'TOKEN_VALID', tokens: old });
    await settled();
    expect(tab.keeper.state).toBe('expired');
  });

  it('[SES-17] a LOGOUT in one tab ends the session of the others', async () => {
    const ground = new SessionTestHarness();
    const [tab, other] = [ground.signedInTab(), ground.signedInTab()];
    tab.keeper.end(true);
    await settled();
    expect([other.keeper.state, other.ended]).toEqual(['none', ['logout']]);
  });

  it('[SES-09] a RELOAD reloads the page', async () => {
    const ground = new SessionTestHarness();
    const [tab, other] = [ground.signedInTab(), ground.signedInTab()];
    tab.keeper.reloadOthers();
    await settled();
    expect(other.ended).toEqual(['reload']);
  });

  it('[SES-12] a new tab gets the access token from another without a renewal; alone, it renews', async () => {
    const ground = new SessionTestHarness();
    const first = ground.openTab({ username: 'ada@example.com' });
    await expect(first.keeper.resume()).resolves.toBe(true);
    expect(ground.renewals).toBe(1);
    const second = ground.openTab();
    await expect(second.keeper.resume()).resolves.toBe(true);
    expect(ground.renewals).toBe(1);
    expect(second.keeper.tokens?.accessToken).toBe(first.keeper.tokens?.accessToken);
  });

  it('[SES-12] a tab does not pass on an expired access token', async () => {
    const ground = new SessionTestHarness();
    const first = ground.openTab({ username: 'ada@example.com' });
    await first.keeper.resume();
    const second = ground.openTab();
    ground.now += ground.expiresIn * 1000;
    await expect(second.keeper.resume()).resolves.toBe(true);
    expect(ground.renewals).toBe(2);
    expect(broadcasts(second)).toEqual([]);
  });

  it('a refresh token refused at the start means signed out, without a message to other tabs', async () => {
    const ground = new SessionTestHarness();
    const [other, tab] = [ground.openTab(), ground.openTab()];
    ground.familyAlive = false;
    await expect(tab.keeper.resume()).resolves.toBe(false);
    expect(tab.keeper.state).toBe('none');
    expect(broadcasts(other)).toEqual(['TOKEN_WANTED']);
  });

  it('calls of one tab share one renewal without locks, too', async () => {
    const ground = new SessionTestHarness();
    const tab = ground.signedInTab({ locks: undefined });
    ground.expire();
    await Promise.all(Array.from({ length: 20 }, () => ground.get(tab)));
    expect([ground.renewals, ground.reused]).toEqual([1, 0]);
  });

  it('tabs ask each other before a renewal without locks', async () => {
    const ground = new SessionTestHarness();
    const [one, two] = [ground.signedInTab({ locks: undefined }), ground.signedInTab({ locks: undefined })];
    ground.expire();
    await ground.get(one);
    two.keeper.adopt({ ...ground.tokens(), accessToken: 'a0', issuedAt: 1 });
    await ground.get(two);
    expect(ground.renewals).toBe(1);
  });
});
