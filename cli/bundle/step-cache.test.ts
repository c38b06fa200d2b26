import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StepCache } from './step-cache.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'walkdown-steps-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const step = (made: string[], result: string) => async () => {
  made.push(result);
  return Buffer.from(result);
};
const text = async (bytes: Promise<Uint8Array>) => Buffer.from(await bytes).toString('utf8');

describe('StepCache', () => {
  it('returns the result of the same step with the same input, also in a later build', async () => {
    const made: string[] = [];
    expect(await text(new StepCache(root).remember(['minify', 'code'], step(made, 'small')))).toBe('small');
    expect(await text(new StepCache(root).remember(['minify', 'code'], step(made, 'other')))).toBe('small');
    expect(made).toEqual(['small']);
  });

  it('distinguishes inputs, however they are split', async () => {
    const made: string[] = [];
    const cache = new StepCache(root);
    await cache.remember(['ab', 'c'], step(made, '1'));
    await cache.remember(['a', 'bc'], step(made, '2'));
    await cache.remember(['ab', Buffer.from('d')], step(made, '3'));
    expect(made).toEqual(['1', '2', '3']);
  });

  it('stores nothing for a failed step', async () => {
    const cache = new StepCache(root);
    await expect(cache.remember(['x'], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await text(cache.remember(['x'], step([], 'yes')))).toBe('yes');
    expect(await readdir(path.join(root, '.generated', 'step-results'))).toHaveLength(1);
  });

  const onlyFile = async () =>
    path.join(
      root,
      '.generated',
      'step-results',
      (await readdir(path.join(root, '.generated', 'step-results')))[0] ?? '',
    );

  it('recomputes a result whose file has a changed byte, and repairs the file', async () => {
    const made: string[] = [];
    await new StepCache(root).remember(['minify', 'code'], step(made, 'small'));
    const file = await onlyFile();
    const whole = await readFile(file);
    for (let at = 0; at < whole.length; at += 1) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      await writeFile(file, damaged);
      expect(await text(new StepCache(root).remember(['minify', 'code'], step(made, 'small')))).toBe('small');
      expect(await readFile(file)).toEqual(whole);
    }
    expect(made).toHaveLength(1 + whole.length);
  });

  it('recomputes a result whose file is shorter, longer, empty or of another step', async () => {
    const made: string[] = [];
    const cache = new StepCache(root);
    await cache.remember(['minify', 'code'], step(made, 'small'));
    const file = await onlyFile();
    const whole = await readFile(file);
    await cache.remember(['minify', 'other'], step([], 'wrong'));
    const folder = path.dirname(file);
    const other = (await readdir(folder)).map((name) => path.join(folder, name)).find((name) => name !== file) ?? '';
    const others = [whole.subarray(0, -1), Buffer.concat([whole, whole]), Buffer.alloc(0), await readFile(other)];
    for (const content of others) {
      await writeFile(file, content);
      expect(await text(cache.remember(['minify', 'code'], step(made, 'small')))).toBe('small');
    }
    expect(made).toHaveLength(1 + others.length);
  });
});
