import { mkdir, mkdtemp, readdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import type * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Compressor } from './compressor.ts';
import { StepCache } from './step-cache.ts';
import { assertReplaceable, writeProduct } from './write-product.ts';

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>();
  return { ...real, rename: vi.fn(real.rename) };
});

let folder: string;
let out: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'walkdown-product-'));
  out = path.join(folder, 'product');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A minimal product whose server needs these packages. */
async function writeMinimalProduct(dependencies: Readonly<Record<string, string>>, lock?: string): Promise<void> {
  const serverFiles = new Map([['server.mjs', Buffer.from('export {};')]]);
  const rootFiles = new Map([
    ['build.json', '{}'],
    ['server/package.json', JSON.stringify({ version: String(Math.random()), dependencies })],
    ...(lock === undefined ? [] : [['server/package-lock.json', lock] as const]),
  ]);
  await writeProduct({
    out,
    web: new Map(),
    server: serverFiles,
    maps: new Map(),
    rootFiles,
    proof: { profile: 'test', enabled: [], disabled: [], files: [] },
    compressor: new Compressor(new StepCache(folder), false),
  });
}

async function addFile(file: string, text = 'kept'): Promise<void> {
  await mkdir(path.dirname(path.join(out, file)), { recursive: true });
  await writeFile(path.join(out, file), text);
}

describe('a rebuilt product folder', () => {
  it('keeps the installed packages if the product needs the same ones', async () => {
    await writeMinimalProduct({ fastify: '5.0.0' });
    await addFile('server/node_modules/fastify/package.json');
    await addFile('web/old.js');
    await writeMinimalProduct({ fastify: '5.0.0' });
    expect((await readdir(path.join(out, 'server'))).sort()).toEqual(['node_modules', 'package.json', 'server.mjs']);
    expect(await readFile(path.join(out, 'server/node_modules/fastify/package.json'), 'utf8')).toBe('kept');
    expect(await readdir(out)).not.toContain('web');
  });

  it('keeps the old product until the new one replaces it', async () => {
    await writeMinimalProduct({ fastify: '5.0.0' });
    await addFile('server/node_modules/fastify/package.json');
    await symlink('../fastify/package.json', path.join(out, 'server/node_modules/link'));
    const contentsAtRename: string[] = [];
    vi.mocked(rename).mockImplementationOnce(async () => {
      contentsAtRename.push(await readFile(path.join(out, 'server/node_modules/fastify/package.json'), 'utf8'));
      throw new Error('killed');
    });
    await expect(writeMinimalProduct({ fastify: '5.0.0' })).rejects.toThrow('killed');
    expect(contentsAtRename).toEqual(['kept']);
    expect(await readFile(path.join(out, 'server/node_modules/fastify/package.json'), 'utf8')).toBe('kept');
    await writeMinimalProduct({ fastify: '5.0.0' });
    expect(await readlink(path.join(out, 'server/node_modules/link'))).toBe('../fastify/package.json');
    expect(await readdir(folder)).not.toContainEqual(expect.stringMatching(/replaced$/));
  });

  it('drops the packages if the lock file names other transitive dependencies', async () => {
    const buildLock = (version: string) => JSON.stringify({ packages: { 'node_modules/deep': { version } } });
    await writeMinimalProduct({ fastify: '5.0.0' }, buildLock('1.0.0'));
    await addFile('server/node_modules/fastify/package.json');
    await writeMinimalProduct({ fastify: '5.0.0' }, buildLock('1.0.0'));
    expect(await readdir(path.join(out, 'server'))).toContain('node_modules');
    await writeMinimalProduct({ fastify: '5.0.0' }, buildLock('1.0.1'));
    expect(await readdir(path.join(out, 'server'))).not.toContain('node_modules');
  });

  it('drops the packages if the product needs other versions', async () => {
    await writeMinimalProduct({ fastify: '5.0.0' });
    await addFile('server/node_modules/fastify/package.json');
    await writeMinimalProduct({ fastify: '5.0.1' });
    expect((await readdir(path.join(out, 'server'))).sort()).toEqual(['package.json', 'server.mjs']);
  });

  it.each(['.walkdown/database/PG_VERSION', 'backup.tar.gz', 'server/.walkdown/database/PG_VERSION'])(
    'refuses to replace a folder that contains %s',
    async (file) => {
      await writeMinimalProduct({});
      await addFile(file);
      await expect(assertReplaceable(out)).rejects.toThrow(/other files.*(\.walkdown|backup\.tar\.gz)/);
      expect(await readFile(path.join(out, file), 'utf8')).toBe('kept');
    },
  );
});

describe.skipIf(process.platform === 'win32')('the files of a product', () => {
  it('are readable by every account, regardless of the umask', async () => {
    const umask = process.umask(0o077);
    try {
      await writeMinimalProduct({});
    } finally {
      process.umask(umask);
    }
    const entries = await readdir(out, { recursive: true, withFileTypes: true });
    expect(entries.length).toBeGreaterThan(4);
    for (const entry of [
      '.',
      ...entries.map(({ parentPath, name }) => path.relative(out, path.join(parentPath, name))),
    ]) {
      const { mode } = await stat(path.join(out, entry));
      const isFolder = (mode & 0o170000) === 0o040000;
      expect([entry, (mode & 0o777).toString(8)]).toEqual([entry, isFolder ? '755' : '644']);
    }
  });
});
