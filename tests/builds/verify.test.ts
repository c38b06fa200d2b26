import { spawn } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { main } from '../../cli/main.ts';
import { withReadableError } from '../../cli/product/product-server.ts';
import { soakCount } from '../../core/testing/server/soak-count.ts';
import { verifyAtStart } from '../../core/server/product/verify-at-start.ts';
import { verifyProduct } from '../../core/server/product/verify-product.ts';
import { readServerConfig } from '../../core/server/kernel/server-config.ts';
import { buildFixture } from './build-fixture.ts';

let builtProduct: Awaited<ReturnType<typeof buildFixture>>;
let folder: string;
/** A copy of the product, which each test restores. */
let product: string;

beforeAll(async () => {
  builtProduct = await buildFixture('fixture-both', { compress: true });
  folder = await mkdtemp(path.join(tmpdir(), 'walkdown-verify-'));
  product = path.join(folder, 'product');
  await cp(builtProduct.out, product, { recursive: true });
});
afterAll(async () => {
  await builtProduct.remove();
  await rm(folder, { recursive: true, force: true });
});

/** Mulberry32, a seeded random number generator. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
  };
}

async function listFiles(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((name) => name !== 'proof.json')
    .sort();
}

/** Runs a walkdown command in this process. Returns its output and exit code. */
async function runCommand(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const output = { out: '', err: '' };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((output.out += String(text)), true)),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((output.err += String(text)), true)),
  ];
  process.exitCode = undefined;
  try {
    await main(['node', 'walkdown', ...args]);
    return { code: Number(process.exitCode ?? 0), ...output };
  } finally {
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
  }
}

/** Runs Node outside the project, without its packages and environment. */
function runBareNode(...args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [...args], { cwd: folder, env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => void (output += text.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

describe('unchanged product', () => {
  it('[SEC-05] passes verification, and its proof lists every file of pages, server and documents', async () => {
    const { proof } = builtProduct;
    expect(proof.files.map((file) => file.path)).toEqual(await listFiles(builtProduct.out));
    for (const ending of ['.js', '.js.br', '.js.gz', '.html', '.html.br', '.mjs', '.map', 'package-lock.json'])
      expect(
        proof.files.some((file) => file.path.endsWith(ending)),
        ending,
      ).toBe(true);
    expect(await verifyProduct(product)).toMatchObject({ differences: [], files: proof.files.length });
    expect((await runCommand('verify', product)).code).toBe(0);
  });

  it('passes verification without its source maps, which are not delivered', async () => {
    const deliveredFolder = path.join(folder, 'delivered');
    await cp(builtProduct.out, deliveredFolder, {
      recursive: true,
      filter: (name) => !name.includes(`${path.sep}maps`),
    });
    expect((await verifyProduct(deliveredFolder)).differences).toEqual([]);
  });

  it('names the same plugins for a script, its compressed forms and its source map', () => {
    const pluginsByFile = new Map(builtProduct.proof.files.map((file) => [file.path, file.plugins]));
    const script = [...pluginsByFile.keys()].find((name) => /alpha-screen-\w+\.js$/.test(name)) ?? '';
    expect(pluginsByFile.get(script)).toEqual(['fixture-alpha']);
    expect(pluginsByFile.get(`${script.replace(/^web/, 'maps')}.map`)).toEqual(['fixture-alpha']);
    const page = [...pluginsByFile.keys()].find((name) => name.endsWith('.js.br') && pluginsByFile.get(name)?.length);
    expect(pluginsByFile.get(page ?? '')).toEqual(pluginsByFile.get(page?.slice(0, -'.br'.length) ?? ''));
  });
});

describe('changed product', () => {
  const random = createRandom(20_260);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

  it('[SEC-05] fails verification for each of 100 random byte flips, additions and removals, by file name', async () => {
    const names = builtProduct.proof.files.filter(({ bytes }) => bytes > 0).map((file) => file.path);
    const counts = { changed: 0, added: 0, missing: 0 };
    for (let trial = 0; trial < soakCount(100, 1000); trial += 1) {
      const name = pick(names);
      const file = path.join(product, name);
      const content = await readFile(file);
      const kind = pick(['changed', 'added', 'missing'] as const);
      const addedFile = `${path.posix.dirname(name)}/added-${trial}${path.posix.extname(name)}`;
      if (kind === 'changed') {
        const flippedContent = Buffer.from(content);
        const index = Math.floor(random() * flippedContent.length);
        flippedContent[index] = (flippedContent[index] ?? 0) ^ (1 << Math.floor(random() * 8));
        await writeFile(file, flippedContent);
      } else if (kind === 'missing') await unlink(file);
      else await writeFile(path.join(product, addedFile), content.subarray(0, Math.floor(random() * content.length)));
      const expected = kind === 'added' ? path.posix.normalize(addedFile) : name;
      expect((await verifyProduct(product)).differences).toEqual([{ kind, path: expected }]);
      counts[kind] += 1;
      if (kind === 'added') await unlink(path.join(product, addedFile));
      else await writeFile(file, content);
    }
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(20);
    expect((await verifyProduct(product)).differences).toEqual([]);
  });

  it('fails the command with exit code 6 and names each file, in JSON too', async () => {
    const html = path.join(product, 'web', 'index.html');
    const originalContent = await readFile(html);
    await appendFile(html, ' ');
    await writeFile(path.join(product, 'server', 'extra.mjs'), '');
    const { code, err } = await runCommand('verify', product);
    expect(code).toBe(6);
    expect(err).toContain("'web/index.html' was changed: its content is not what the build wrote.");
    expect(err).toContain("'server/extra.mjs' was added: the build did not write it.");
    const json = await runCommand('verify', product, '--json');
    expect(JSON.parse(json.out)).toMatchObject({ error: { exitCode: 6, problems: [{}, {}] } });
    await writeFile(html, originalContent);
    await unlink(path.join(product, 'server', 'extra.mjs'));
  });

  it('fails verification if a file or folder was replaced by a link to the same content', async () => {
    const copy = path.join(folder, 'linked');
    await cp(builtProduct.out, copy, { recursive: true });
    await rm(path.join(copy, 'web', 'index.html'));
    await symlink(path.join(product, 'web', 'index.html'), path.join(copy, 'web', 'index.html'));
    await rm(path.join(copy, 'web', 'static'), { recursive: true });
    await symlink(path.join(product, 'web', 'static'), path.join(copy, 'web', 'static'));
    const kinds = new Map(
      (await verifyProduct(copy)).differences.map((difference) => [difference.path, difference.kind]),
    );
    expect(kinds.get('web/index.html')).toBe('unreadable');
    expect(kinds.get('web/static')).toBe('added');
    expect([...kinds.values()].filter((kind) => kind === 'missing').length).toBeGreaterThan(10);
  });

  it('fails verification against the SHA-256 of the original proof if the proof was changed too', async () => {
    const copy = path.join(folder, 'exchanged');
    await cp(builtProduct.out, copy, { recursive: true });
    await appendFile(path.join(copy, 'proof.json'), '\n');
    expect((await runCommand('verify', copy)).code).toBe(0);
    const { code, err } = await runCommand('verify', copy, '--expect', builtProduct.proofSha256);
    expect(code).toBe(6);
    expect(err).toContain("'proof.json' was changed");
    expect((await runCommand('verify', product, '--expect', builtProduct.proofSha256)).code).toBe(0);
    expect((await runCommand('verify', product, '--expect', 'abc')).code).toBe(2);
  });

  it.each([
    ['missing', undefined, /proof\.json is missing/],
    ['damaged', '{', /proof\.json is not JSON/],
  ])('fails verification if its proof is %s', async (_, text, sentence) => {
    const copy = await mkdtemp(path.join(folder, 'without-proof-'));
    await cp(builtProduct.out, copy, { recursive: true });
    await rm(path.join(copy, 'proof.json'));
    if (text !== undefined) await writeFile(path.join(copy, 'proof.json'), text);
    const { code, err } = await runCommand('verify', copy);
    expect(code).toBe(6);
    expect(err).toMatch(sentence);
  });

  it('is reported as missing if the folder contains no product', async () => {
    await mkdir(path.join(folder, 'empty'));
    const { code, err } = await runCommand('verify', path.join(folder, 'empty'));
    expect(code).toBe(2);
    expect(err).toContain('There is no built product here.');
  });
});

describe('verifier inside the product', () => {
  it('[SEC-05] runs with Node alone outside the project and exits with 0 or 6', async () => {
    const verifier = path.join(product, 'server', 'verify.mjs');
    expect(await readFile(verifier, 'utf8')).not.toMatch(/from ?["'](?!node:)/);
    const unchangedRun = await runBareNode(verifier);
    expect(unchangedRun).toEqual({ code: 0, output: expect.stringContaining(builtProduct.proofSha256) as string });
    const script = path.join(product, 'web', 'login.html');
    const content = await readFile(script);
    await appendFile(script, ' ');
    const changedRun = await runBareNode(verifier);
    expect(changedRun.code).toBe(6);
    expect(changedRun.output).toContain("'web/login.html' was changed");
    const json = await runBareNode(verifier, product, '--json');
    expect(JSON.parse(json.output)).toMatchObject({ differences: [{ kind: 'changed', path: 'web/login.html' }] });
    await writeFile(script, content);
    expect((await runBareNode(verifier, product, '--expect', '0'.repeat(64))).code).toBe(6);
    expect((await runBareNode(verifier, '--expect', 'x')).code).toBe(2);
    expect((await runBareNode(verifier, '--unknown')).code).toBe(2);
    expect((await runBareNode(verifier, folder)).code).toBe(6);
  });
});

describe('check at server start', () => {
  const log = pino({ level: 'silent' });
  const checkAtStart = (value: string | undefined, bundle: string | undefined = path.join(product, 'web')) =>
    verifyAtStart(bundle, readServerConfig({ WALKDOWN_VERIFY: value }).config, log);

  it('refuses a changed product if the environment requires the check', async () => {
    const script = path.join(product, 'server', 'server.mjs');
    const content = await readFile(script);
    await appendFile(script, ' ');
    await expect(checkAtStart(undefined)).resolves.toBeUndefined();
    await expect(checkAtStart('off')).resolves.toBeUndefined();
    await expect(checkAtStart('on')).rejects.toThrow(/'server\/server\.mjs' was changed[^]*Deliver the product again/);
    await expect(checkAtStart('on')).rejects.toMatchObject({ name: 'ChangedProductError', exitCode: 6 });
    await writeFile(script, content);
    await expect(checkAtStart('on')).resolves.toBeUndefined();
  });

  it('ends the command with exit code 6', async () => {
    const startCheck = withReadableError(checkAtStart('0'.repeat(64)), 'The server could not start');
    await expect(startCheck).rejects.toMatchObject({ exitCode: 6 });
    await expect(startCheck).rejects.toThrow(/The server could not start: The product in .* is not as it was built/);
  });

  it('refuses a product that does not match the given proof', async () => {
    await expect(checkAtStart(builtProduct.proofSha256.toUpperCase())).resolves.toBeUndefined();
    await expect(checkAtStart('0'.repeat(64))).rejects.toThrow(/'proof\.json' was changed/);
  });

  it('verifies a copied server with the product that its link to the pages points to', async () => {
    const copy = path.join(folder, 'copy');
    await cp(path.join(product, 'server'), path.join(copy, 'server'), { recursive: true });
    await symlink(path.join(product, 'web'), path.join(copy, 'web'));
    await expect(checkAtStart('on', path.join(copy, 'web'))).resolves.toBeUndefined();
    await appendFile(path.join(copy, 'server', 'server.mjs'), ' ');
    await expect(checkAtStart('on', path.join(copy, 'web'))).rejects.toThrow(/copy\/server\/server\.mjs' was changed/);
  });

  it('refuses a server without a built product', async () => {
    await expect(verifyAtStart(undefined, readServerConfig({ WALKDOWN_VERIFY: 'on' }).config, log)).rejects.toThrow(
      /runs without a built product/,
    );
  });

  it('refuses other values of the variable', () => {
    expect(readServerConfig({ WALKDOWN_VERIFY: 'yes' }).problems.map(({ sentence }) => sentence)).toContain(
      'WALKDOWN_VERIFY must be on, off, or the SHA-256 of proof.json (64 hexadecimal digits).',
    );
  });
});
