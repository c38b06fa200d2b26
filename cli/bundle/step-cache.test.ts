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

const createStep = (computedResults: string[], result: string) => async () => {
  computedResults.push(result);
  return Buffer.from(result);
};
const readText = async (bytes: Promise<Uint8Array>) => Buffer.from(await bytes).toString('utf8');

describe('StepCache', () => {
  it('returns the stored result of a step with the same input, in the same and in later builds', async () => {
    const computedResults: string[] = [];
    expect(
      await readText(new StepCache(root).getOrCompute(['minify', 'code'], createStep(computedResults, 'small'))),
    ).toBe('small');
    expect(
      await readText(new StepCache(root).getOrCompute(['minify', 'code'], createStep(computedResults, 'other'))),
    ).toBe('small');
    expect(computedResults).toEqual(['small']);
  });

  it('distinguishes keys whose parts join to the same text', async () => {
    const computedResults: string[] = [];
    const cache = new StepCache(root);
    await cache.getOrCompute(['ab', 'c'], createStep(computedResults, '1'));
    await cache.getOrCompute(['a', 'bc'], createStep(computedResults, '2'));
    await cache.getOrCompute(['ab', Buffer.from('d')], createStep(computedResults, '3'));
    expect(computedResults).toEqual(['1', '2', '3']);
  });

  it('stores nothing for a failed step', async () => {
    const cache = new StepCache(root);
    await expect(cache.getOrCompute(['x'], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await readText(cache.getOrCompute(['x'], createStep([], 'yes')))).toBe('yes');
    expect(await readdir(path.join(root, '.generated', 'step-results'))).toHaveLength(1);
  });

  const findOnlyFile = async () =>
    path.join(
      root,
      '.generated',
      'step-results',
      (await readdir(path.join(root, '.generated', 'step-results')))[0] ?? '',
    );

  it('recomputes a result whose file has a changed byte, and repairs the file', async () => {
    const computedResults: string[] = [];
    await new StepCache(root).getOrCompute(['minify', 'code'], createStep(computedResults, 'small'));
    const file = await findOnlyFile();
    const intact = await readFile(file);
    for (let index = 0; index < intact.length; index += 1) {
      const damagedBytes = Buffer.from(intact);
      damagedBytes[index] = (damagedBytes[index] ?? 0) ^ 1;
      await writeFile(file, damagedBytes);
      expect(
        await readText(new StepCache(root).getOrCompute(['minify', 'code'], createStep(computedResults, 'small'))),
      ).toBe('small');
      expect(await readFile(file)).toEqual(intact);
    }
    expect(computedResults).toHaveLength(1 + intact.length);
  });

  it('recomputes a result whose file is shorter, longer, empty or of another step', async () => {
    const computedResults: string[] = [];
    const cache = new StepCache(root);
    await cache.getOrCompute(['minify', 'code'], createStep(computedResults, 'small'));
    const file = await findOnlyFile();
    const intact = await readFile(file);
    await cache.getOrCompute(['minify', 'other'], createStep([], 'wrong'));
    const folder = path.dirname(file);
    const otherFile =
      (await readdir(folder)).map((name) => path.join(folder, name)).find((name) => name !== file) ?? '';
    const damagedContents = [
      intact.subarray(0, -1),
      Buffer.concat([intact, intact]),
      Buffer.alloc(0),
      await readFile(otherFile),
    ];
    for (const content of damagedContents) {
      await writeFile(file, content);
      expect(await readText(cache.getOrCompute(['minify', 'code'], createStep(computedResults, 'small')))).toBe(
        'small',
      );
    }
    expect(computedResults).toHaveLength(1 + damagedContents.length);
  });
});
