import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SessionTestHarness } from '../../testing/web/session-test-harness.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('renewal timer', () => {
  it('race 14: renews a used token 30 seconds before its expiry, once for all tabs', async () => {
    const ground = new SessionTestHarness();
    ground.expiresIn = 300;
    const [one, two] = [ground.signedInTab(), ground.signedInTab()];
    await Promise.all([ground.get(one), ground.get(two)]);
    await vi.advanceTimersByTimeAsync(269_000);
    expect(ground.renewals).toBe(0);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(ground.renewals).toBe(1);
    expect(new Set([one, two].map(({ keeper }) => keeper.tokens?.accessToken))).toEqual(new Set(['a1']));
  });

  it("lets the token of an idle tab expire, so that the server's idle limit applies", async () => {
    const ground = new SessionTestHarness();
    ground.expiresIn = 300;
    ground.signedInTab();
    ground.now += 1;
    await vi.advanceTimersByTimeAsync(600_000);
    expect(ground.renewals).toBe(0);
  });

  it('ignores tokens that live less than a minute, and stops at logout', async () => {
    const ground = new SessionTestHarness();
    const short = ground.signedInTab();
    await ground.get(short);
    ground.expiresIn = 300;
    const leaving = ground.signedInTab();
    await ground.get(leaving);
    leaving.keeper.end(false);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(ground.renewals).toBe(0);
  });
});
