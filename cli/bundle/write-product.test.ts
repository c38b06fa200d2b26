import { mkdir, mkdtemp, readdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import type * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Compressor } from './compressor.ts';
import { StepCache } from './step-cache.ts';
import { refuseForeignFolder, writeProduct } from './write-product.ts';

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

/** A product in little, whose server asks for these packages. */
async function build(dependencies: Readonly<Record<string, string>>, lock?: string): Promise<void> {
  const bytes = new Map([['server.mjs', Buffer.from('export {};')]]);
  const documents = new Map([
    ['build.json', '{}'],
    ['server/package.json', JSON.stringify({ version: String(Math.random()), dependencies })],
    ...(lock === undefined ? [] : [['server/package-lock.json', lock] as const]),
  ]);
  await writeProduct({
    out,
    web: new Map(),
    server: bytes,
    maps: new Map(),
    documents,
    proof: { profile: 'test', enabled: [], disabled: [], files: [] },
    compressor: new Compressor(new StepCache(folder), false),
  });
}

async function put(file: string, text = 'kept'): Promise<void> {
  await mkdir(path.dirname(path.join(out, file)), { recursive: true });
  await writeFile(path.join(out, file), text);
}

describe('a product that is built again into its folder', () => {
  it('keeps the packages that were installed for it where it asks for the same ones', async () => {
    await build({ fastify: '5.0.0' });
    await put('server/node_modules/fastify/package.json');
    await put('web/old.js');
    await build({ fastify: '5.0.0' });
    expect((await readdir(path.join(out, 'server'))).sort()).toEqual(['node_modules', 'package.json', 'server.mjs']);
    expect(await readFile(path.join(out, 'server/node_modules/fastify/package.json'), 'utf8')).toBe('kept');
    expect(await readdir(out)).not.toContain('web');
  });

  it('leaves the old product whole until the new one stands in its place', async () => {
    await build({ fastify: '5.0.0' });
    await put('server/node_modules/fastify/package.json');
    await symlink('../fastify/package.json', path.join(out, 'server/node_modules/link'));
    const renames: string[] = [];
    vi.mocked(rename).mockImplementationOnce(async () => {
      renames.push(await readFile(path.join(out, 'server/node_modules/fastify/package.json'), 'utf8'));
      throw new Error('killed');
    });
    await expect(build({ fastify: '5.0.0' })).rejects.toThrow('killed');
    expect(renames).toEqual(['kept']);
    expect(await readFile(path.join(out, 'server/node_modules/fastify/package.json'), 'utf8')).toBe('kept');
    await build({ fastify: '5.0.0' });
    expect(await readlink(path.join(out, 'server/node_modules/link'))).toBe('../fastify/package.json');
    expect(await readdir(folder)).not.toContainEqual(expect.stringMatching(/replaced$/));
  });

  it('lets go of packages where the lock file names others that those depend on', async () => {
    const locked = (version: string) => JSON.stringify({ packages: { 'node_modules/deep': { version } } });
    await build({ fastify: '5.0.0' }, locked('1.0.0'));
    await put('server/node_modules/fastify/package.json');
    await build({ fastify: '5.0.0' }, locked('1.0.0'));
    expect(await readdir(path.join(out, 'server'))).toContain('node_modules');
    await build({ fastify: '5.0.0' }, locked('1.0.1'));
    expect(await readdir(path.join(out, 'server'))).not.toContain('node_modules');
  });

  it('lets go of packages where it asks for others', async () => {
    await build({ fastify: '5.0.0' });
    await put('server/node_modules/fastify/package.json');
    await build({ fastify: '5.0.1' });
    expect((await readdir(path.join(out, 'server'))).sort()).toEqual(['package.json', 'server.mjs']);
  });

  it.each(['.walkdown/database/PG_VERSION', 'backup.tar.gz', 'server/.walkdown/database/PG_VERSION'])(
    'does not take the place of what no build made: %s',
    async (file) => {
      await build({});
      await put(file);
      await expect(refuseForeignFolder(out)).rejects.toThrow(/what no build made.*(\.walkdown|backup\.tar\.gz)/);
      expect(await readFile(path.join(out, file), 'utf8')).toBe('kept');
    },
  );
});

describe.skipIf(process.platform === 'win32')('the files of a product', () => {
  it('may be read by every account, whatever the umask of the one that builds', async () => {
    const umask = process.umask(0o077);
    try {
      await build({});
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
