import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { verifyAtStart } from './verify-at-start.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-verify-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const content = { 'web/index.html': '<!doctype html>', 'server/server.mjs': 'export {};' };

/** Creates a product, and a copy of its server next to a link to its pages, as the command line does. */
function setup(name: string): { readonly copy: string; readonly verify: () => Promise<void> } {
  const [product, copy] = [path.join(folder, name, 'product'), path.join(folder, name, 'copy')];
  for (const [file, text] of Object.entries(content)) {
    fs.mkdirSync(path.dirname(path.join(product, file)), { recursive: true });
    fs.writeFileSync(path.join(product, file), text);
  }
  const files = Object.entries(content).map(([file, text]) => ({
    path: file,
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
    plugins: [],
  }));
  fs.writeFileSync(
    path.join(product, 'proof.json'),
    JSON.stringify({ profile: 'acme', enabled: [], disabled: [], files }),
  );
  fs.mkdirSync(path.join(copy, 'server'), { recursive: true });
  fs.copyFileSync(path.join(product, 'server', 'server.mjs'), path.join(copy, 'server', 'server.mjs'));
  fs.symlinkSync(path.join(product, 'web'), path.join(copy, 'web'));
  const productCheck = { kind: 'on', proofSha256: undefined } as const;
  return {
    copy,
    verify: () => verifyAtStart(path.join(copy, 'web'), { productCheck }, pino({ level: 'silent' })),
  };
}

it('accepts an unchanged copy of the server', async () => {
  await expect(setup('same').verify()).resolves.toBeUndefined();
});

it('names changed and added files of the running copy', async () => {
  const { copy, verify } = setup('other');
  fs.writeFileSync(path.join(copy, 'server', 'server.mjs'), 'export {};;');
  fs.writeFileSync(path.join(copy, 'server', 'more.cjs'), '');
  await expect(verify()).rejects.toThrow(
    new RegExp(`is not as it was built\\.[^]*more\\.cjs' was added[^]*server\\.mjs' was changed`),
  );
});
