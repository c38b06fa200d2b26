import { mkdtemp, readdir, rm } from 'node:fs/promises';
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

describe('the memory of slow steps', () => {
  it('gives back what the same step made of the same, also to a later build', async () => {
    const made: string[] = [];
    expect(await text(new StepCache(root).remember(['minify', 'code'], step(made, 'small')))).toBe('small');
    expect(await text(new StepCache(root).remember(['minify', 'code'], step(made, 'other')))).toBe('small');
    expect(made).toEqual(['small']);
  });

  it('takes other ingredients for something else, however they are cut', async () => {
    const made: string[] = [];
    const cache = new StepCache(root);
    await cache.remember(['ab', 'c'], step(made, '1'));
    await cache.remember(['a', 'bc'], step(made, '2'));
    await cache.remember(['ab', Buffer.from('d')], step(made, '3'));
    expect(made).toEqual(['1', '2', '3']);
  });

  it('keeps nothing of a step that failed', async () => {
    const cache = new StepCache(root);
    await expect(cache.remember(['x'], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await text(cache.remember(['x'], step([], 'yes')))).toBe('yes');
    expect(await readdir(path.join(root, '.generated', 'steps'))).toHaveLength(1);
  });
});
