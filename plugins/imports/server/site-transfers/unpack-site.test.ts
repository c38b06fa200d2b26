import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { buildZip } from '#core/testing/server';
import { unpackSite, type UnpackLimits } from './unpack-site.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-unpack-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let number = 0;
async function unpack(
  zip: Buffer,
  limits?: UnpackLimits,
): Promise<{ readonly target: string; readonly error: string }> {
  const target = path.join(folder, String((number += 1)));
  await mkdir(target);
  await writeFile(`${target}.zip`, zip);
  const { signal } = new AbortController();
  const error = await unpackSite(`${target}.zip`, target, signal, ...(limits ? [limits] : [])).then(
    () => '',
    (failure: Error) => failure.message,
  );
  return { target, error };
}

const manifest = { 'manifest.json': '{}' };
const limits: UnpackLimits = { maxEntries: 3, maxRatio: 2, minBombBytes: 1000 };

describe('unpacking of an exported site', () => {
  it('unpacks an export, also within a folder that a program put around it', async () => {
    const { target } = await unpack(
      buildZip({
        'nh/manifest.json': '{"a":1}',
        'nh/plans/d1.png': 'x',
        'nh/plans/.hidden': 'x',
        '__MACOSX/nh/._manifest.json': 'x',
        'nh/.DS_Store': 'x',
        'other.txt': 'x',
      }),
    );
    expect((await readdir(target, { recursive: true })).toSorted()).toEqual([
      'manifest.json',
      'plans',
      path.join('plans', 'd1.png'),
    ]);
    expect(await readFile(path.join(target, 'manifest.json'), 'utf8')).toBe('{"a":1}');
  });

  it('refuses a file that is no ZIP file, cut off, protected or no export', async () => {
    const zip = buildZip({ ...manifest, 'plans/d1.png': 'a picture' });
    const protectedZip = Buffer.from(zip);
    const entry = zip.indexOf('PK\u0001\u0002');
    protectedZip.writeUInt16LE(1, entry + 8);
    protectedZip.writeUInt32LE(protectedZip.readUInt32LE(entry + 20) + 12, entry + 20);
    for (const content of [Buffer.from('no ZIP file'), zip.subarray(0, -10)])
      expect((await unpack(content)).error).toMatch(/cut off or damaged/);
    expect((await unpack(protectedZip)).error).toMatch(/protected by a password/);
    expect((await unpack(buildZip({ 'a.txt': 'x' }))).error).toMatch(/not a complete export/);
    expect((await unpack(buildZip({ 'a/manifest.json': '', 'b/manifest.json': '' }))).error).toMatch(
      /not a complete export/,
    );
  });

  it('refuses names outside of the folder, and names that would be the same file on some disks', async () => {
    for (const name of [
      '../outside.txt',
      'plans/../../outside.txt',
      '/etc/outside.txt',
      'C:/outside.txt',
      'a\\..\\b',
    ]) {
      const { error, target } = await unpack(buildZip({ ...manifest, [name]: 'x' }));
      if (error !== '') expect(error).toMatch(/cannot belong to an export/);
      expect((await readdir(target, { recursive: true })).filter((each) => each !== 'manifest.json')).toEqual([]);
    }
    expect((await unpack(buildZip({ ...manifest, '../x': 'x' }))).error).toMatch(/cannot belong to an export: \.\.\/x/);
    expect((await unpack(buildZip({ ...manifest, 'a.txt': 'x', 'A.TXT': 'x' }))).error).toMatch(/cannot belong/);
    for (const names of [['a', 'A/b'], ['a/b/c', 'a/b'], [`plans/${'n'.repeat(256)}`]])
      expect(
        (await unpack(buildZip({ ...manifest, ...Object.fromEntries(names.map((name) => [name, 'x'])) }))).error,
      ).toMatch(/cannot belong to an export/);
    expect(await readdir(folder)).not.toContain('outside.txt');
  });

  it('refuses too many files and ZIP bombs before it writes anything', async () => {
    const manyFilesResult = await unpack(buildZip({ ...manifest, a: 'x', b: 'x', c: 'x' }), limits);
    const bomb = new ZipFile();
    bomb.addBuffer(Buffer.alloc(100_000), 'manifest.json');
    bomb.end();
    const bombResult = await unpack(await buffer(bomb.outputStream), limits);
    for (const { error, target } of [manyFilesResult, bombResult]) {
      expect(error).toMatch(/more than 3 files/);
      expect(await readdir(target)).toEqual([]);
    }
  });
});
