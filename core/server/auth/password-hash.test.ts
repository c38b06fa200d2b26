import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './password-hash.ts';

/** CPU time of the fastest of several runs, in microseconds. CPU time excludes other processes. */
const measureMinCpu = async (work: () => Promise<unknown>): Promise<number> => {
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
    const storedHash = await hashPassword('caf\u00e9 au lait');
    expect(await verifyPassword(storedHash, 'cafe\u0301 au lait')).toBe(true);
    expect(await verifyPassword(storedHash, 'cafe au lait')).toBe(false);
  });

  it('[SEC-02] accepts compatibility characters, in hashes with and without normalisation', async () => {
    const storedHash = await hashPassword('ｖａｌｖｅ seven leaks');
    expect(await verifyPassword(storedHash, 'valve seven leaks')).toBe(true);
    const oldHash = await hash('ｖａｌｖｅ seven leaks', { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    expect(await verifyPassword(oldHash, 'ｖａｌｖｅ seven leaks')).toBe(true);
    expect(await verifyPassword(oldHash, 'valve seven leaks')).toBe(false);
  });

  it('never accepts a password for an account without one, not even the password of the decoy hash', async () => {
    for (const storedHash of [null, undefined])
      expect(await verifyPassword(storedHash, 'nobody has this password')).toBe(false);
  });

  it('takes equally long for an account without a password', async () => {
    const storedHash = await hashPassword('a password');
    const knownMicroseconds = await measureMinCpu(() => verifyPassword(storedHash, 'wrong'));
    const unknownMicroseconds = await measureMinCpu(() => verifyPassword(undefined, 'wrong'));
    expect(unknownMicroseconds).toBeGreaterThan(knownMicroseconds / 3);
    expect(unknownMicroseconds).toBeLessThan(knownMicroseconds * 3);
  });
});
