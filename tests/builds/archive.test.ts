import { spawn, spawnSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeArchive, type ArchiveReport } from '../../cli/product/write-archive.ts';
import type { ListedFile, ProductProof } from '../../core/common/product-proof.ts';
import { getPlatformName } from '../../core/server/product/platform-name.ts';
import { computeDigest, verifyProduct } from '../../core/server/product/verify-product.ts';
import { buildFixture } from './build-fixture.ts';

const project = path.resolve(import.meta.dirname, '..', '..');
/** The command prefix that runs a program without a network, if this account may create network namespaces. */
const isolation = spawnSync('unshare', ['-rn', 'true']).status === 0 ? ['unshare', '-rn'] : [];
const archiveVersion = '1.2.3';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'walkdown-archive-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program as on a bare machine: no npm, no project, an empty home and, if possible, no network. */
async function runBare(...args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  const home = await mkdtemp(path.join(folder, 'home-'));
  const [command = '', ...rest] = [...isolation, ...args];
  const child = spawn(command, rest, { cwd: home, env: { HOME: home, PATH: '/usr/bin:/bin' } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => void (output += text.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Unpacks the archive under a umask that removes all rights of others. */
async function unpack({ file }: ArchiveReport): Promise<string> {
  const target = await mkdtemp(path.join(folder, 'unpacked-'));
  const { status, stderr } = spawnSync('sh', ['-c', 'umask 077; tar "$@"', 'sh', '-xpzf', file, '-C', target]);
  expect([status, String(stderr)]).toEqual([0, '']);
  const [name = ''] = await readdir(target);
  return path.join(target, name);
}

/** A minimal product whose server needs these packages and runs this code. */
async function buildProduct(
  name: string,
  packages: readonly string[],
  server: string,
): Promise<[string, ProductProof]> {
  const out = path.join(folder, name);
  await mkdir(path.join(out, 'server'), { recursive: true });
  const dependencies = Object.fromEntries(packages.map((dependency) => [dependency, '*']));
  const contents = {
    'server/package.json': JSON.stringify({ dependencies, type: 'module' }),
    'server/server.mjs': server,
  };
  const files: (ListedFile & { plugins: [] })[] = [];
  for (const [file, text] of Object.entries(contents)) {
    await writeFile(path.join(out, file), text);
    files.push({ path: file, ...computeDigest(Buffer.from(text)), plugins: [] });
  }
  return [out, { profile: name, enabled: [], disabled: [], files }];
}

describe.skipIf(process.platform === 'win32')('archive for machines without a registry', () => {
  it('[SEC-05] contains the product without source maps, and packages that its own verifier compares', async () => {
    const builtProduct = await buildFixture('fixture-both');
    try {
      const { out, proof } = builtProduct;
      const archive = await writeArchive({ root: project, out, version: archiveVersion, proof });
      expect(archive.file).toBe(`${out}-1.2.3-${getPlatformName()}.tar.gz`);
      const product = await unpack(archive);
      expect(path.basename(product)).toBe('fixture-both');
      expect(await readdir(product)).not.toContain('maps');
      const verification = await verifyProduct(product, { expected: archive.proofSha256 });
      expect(verification).toMatchObject({ differences: [], packages: 'compared' });
      const verifierRun = await runBare(process.execPath, path.join(product, 'server', 'verify.mjs'));
      expect(verifierRun).toEqual({ code: 0, output: expect.stringContaining(archive.proofSha256) as string });
      const serverRun = await runBare(process.execPath, path.join(product, 'server', 'server.mjs'));
      expect(serverRun).toEqual({ code: 0, output: '' });
      const typebox = path.join('server', 'node_modules', 'typebox', 'package.json');
      await appendFile(path.join(product, typebox), ' ');
      const changedRun = await runBare(process.execPath, path.join(product, 'server', 'verify.mjs'));
      expect(changedRun.code).toBe(6);
      expect(changedRun.output).toContain(`'${typebox}' was changed`);
    } finally {
      await builtProduct.remove();
    }
  });

  it('contains the native packages of this platform and runs with Node alone', async () => {
    const server =
      "import { hashSync } from '@node-rs/argon2';\nimport sharp from 'sharp';\n" +
      "const picture = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } }).png().toBuffer();\n" +
      "console.log(hashSync('x').slice(0, 9), picture.length > 60);\n";
    const [out, proof] = await buildProduct('native', ['@node-rs/argon2', 'sharp'], server);
    const product = await unpack(await writeArchive({ root: project, out, version: archiveVersion, proof }));
    const serverRun = await runBare(process.execPath, path.join(product, 'server', 'server.mjs'));
    expect(serverRun).toEqual({ code: 0, output: '$argon2id true\n' });
    const entries = await readdir(product, { recursive: true, withFileTypes: true });
    expect(entries.some(({ name }) => name.endsWith('.node'))).toBe(true);
    for (const entry of entries) {
      const { mode } = await stat(path.join(entry.parentPath, entry.name));
      expect([entry.name, (mode & 0o777).toString(8)]).toEqual([
        entry.name,
        entry.isDirectory() ? '755' : (expect.stringMatching(/^(?:644|755)$/) as string),
      ]);
    }
  });

  it('is refused if packages of the project are missing or differ, and names each of them', async () => {
    const [out, proof] = await buildProduct('missing', ['present', 'older', 'absent'], '');
    const root = path.join(folder, 'project');
    const buildLockEntry = (version: string) => ({ version, integrity: 'sha512-x' });
    const packages = {
      'node_modules/present': { ...buildLockEntry('1.0.0'), optionalDependencies: { 'other-platform': '1' } },
      'node_modules/other-platform': { ...buildLockEntry('1.0.0'), optional: true, os: ['none'] },
      'node_modules/older': buildLockEntry('2.0.0'),
      'node_modules/absent': buildLockEntry('1.0.0'),
    };
    await mkdir(root);
    await writeFile(path.join(root, 'package-lock.json'), JSON.stringify({ packages }));
    for (const name of ['present', 'older']) {
      await mkdir(path.join(root, 'node_modules', name), { recursive: true });
      await writeFile(path.join(root, 'node_modules', name, 'package.json'), '{ "version": "1.0.0" }');
    }
    const writing = writeArchive({ root, out, version: archiveVersion, proof });
    await expect(writing).rejects.toThrow(/'absent', which the server needs on .*, is not installed in the project/);
    await expect(writing).rejects.toThrow(/'older' is installed in the version 1\.0\.0.* built with 2\.0\.0.*npm ci/s);
    await expect(writing).rejects.not.toThrow(/other-platform/);
    expect((await readdir(folder)).filter((name) => name.startsWith('missing-'))).toEqual([]);
  });
});
