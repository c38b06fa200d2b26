import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './password-hash.ts';

/** CPU time of the fastest of several runs, in microseconds. CPU time excludes other processes. */
const minCpu = async (work: () => Promise<unknown>): Promise<number> => {
  let minimum = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 8; round += 1) {
    const begin = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(begin);
    minimum = Math.min(minimum, user + system);
  }
  return minimum;
};

describe('password hashes', () => {
  it('uses Argon2id with the costs that OWASP recommends', async () => {
    expect(await hashPassword('a password')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('accepts a password in either Unicode form, and no other password', async () => {
    const stored = await hashPassword('caf\u00e9 au lait');
    expect(await verifyPassword(stored, 'cafe\u0301 au lait')).toBe(true);
    expect(await verifyPassword(stored, 'cafe au lait')).toBe(false);
  });

  it('[SEC-02] accepts the compatibility form, also for hashes made without it', async () => {
    const stored = await hashPassword('ｖａｌｖｅ seven leaks');
    expect(await verifyPassword(stored, 'valve seven leaks')).toBe(true);
    const before = await hash('ｖａｌｖｅ seven leaks', { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    expect(await verifyPassword(before, 'ｖａｌｖｅ seven leaks')).toBe(true);
    expect(await verifyPassword(before, 'valve seven leaks')).toBe(false);
  });

  it("never accepts a password for an account without one, not even the decoy's", async () => {
    for (const stored of [null, undefined])
      expect(await verifyPassword(stored, 'nobody has this password')).toBe(false);
  });

  it('takes as long for an account without a password', async () => {
    const stored = await hashPassword('a password');
    const known = await minCpu(() => verifyPassword(stored, 'wrong'));
    const unknown = await minCpu(() => verifyPassword(undefined, 'wrong'));
    expect(unknown).toBeGreaterThan(known / 3);
    expect(unknown).toBeLessThan(known * 3);
  });
});
