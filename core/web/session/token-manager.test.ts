import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Endpoint } from '#core';
import { SessionTestHarness } from '../../testing/web/session-test-harness.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('renewal timer', () => {
  it('race 14: renews a used token 30 seconds before its expiry, once for all tabs', async () => {
    const harness = new SessionTestHarness();
    harness.expiresIn = 300;
    const [one, two] = [harness.openSignedInTab(), harness.openSignedInTab()];
    await Promise.all([harness.get(one), harness.get(two)]);
    await vi.advanceTimersByTimeAsync(269_000);
    expect(harness.renewalCount).toBe(0);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(harness.renewalCount).toBe(1);
    expect(new Set([one, two].map(({ tokenManager }) => tokenManager.token?.accessToken))).toEqual(new Set(['a1']));
  });

  it("lets the token of an idle tab expire, so that the server's idle limit applies", async () => {
    const harness = new SessionTestHarness();
    harness.expiresIn = 300;
    const tab = harness.openSignedInTab();
    harness.now += 1;
    await tab.http.call<Endpoint>('GET', '/api/thing', {} as never, { passive: true });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(harness.renewalCount).toBe(0);
  });

  it('does not renew for a passive call, which waits until another call renews', async () => {
    const harness = new SessionTestHarness();
    const tab = harness.openSignedInTab();
    harness.expire();
    const reply = vi.fn();
    const call = tab.http.call<Endpoint>('GET', '/api/thing', {} as never, { passive: true }).then(reply);
    await vi.advanceTimersByTimeAsync(600_000);
    expect([harness.renewalCount, harness.server.sentTo('GET /api/thing').length]).toEqual([0, 1]);
    await harness.get(tab);
    await call;
    expect([harness.renewalCount, reply.mock.lastCall]).toEqual([1, [{ ok: true, token: 'a1' }]]);
  });

  it('does not renew short-lived tokens, nor after a logout', async () => {
    const harness = new SessionTestHarness();
    const short = harness.openSignedInTab();
    await harness.get(short);
    harness.expiresIn = 300;
    const leaving = harness.openSignedInTab();
    await harness.get(leaving);
    leaving.tokenManager.end('thisTab');
    await vi.advanceTimersByTimeAsync(600_000);
    expect(harness.renewalCount).toBe(0);
  });
});
