import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CallAuthor, OwnedSiteContent, SiteImport } from '#core/server';
import { importSite } from './import-site.ts';
import { manifestFormat, manifestVersion, maxJsonBytes } from './manifest.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-import-site-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('refuses JSON files that are too large to be read at once', async () => {
  const bytes = Buffer.alloc(maxJsonBytes + 1, ' ');
  bytes.write('[]');
  await mkdir(path.join(folder, 'plans'));
  await writeFile(path.join(folder, 'plans/plans.json'), bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const manifest = {
    format: manifestFormat,
    version: manifestVersion,
    exportedAt: '',
    language: 'en',
    site: { code: 'near', name: 'Near' },
    contents: [{ id: 'tour.plans', folder: 'plans', counts: {}, notes: [] }],
    files: [{ path: 'plans/plans.json', bytes: bytes.length, sha256 }],
  };
  await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(manifest));
  const content = {
    key: 'tour.plans',
    check: async ({ read }: SiteImport) => void (await read('plans.json', Type.Array(Type.String()))),
    import: async () => ({ added: 0, changed: 0, unchanged: 0 }),
  } as unknown as OwnedSiteContent;
  const author = { caller: { access: { flags: ['import', 'configure'], locations: 'ALL' } } } as unknown as CallAuthor;
  const { signal } = new AbortController();
  const request = { folder, author, signal, dryRun: true, onChecked: () => Promise.resolve() };
  await expect(importSite({ contents: [content], locations: {} as never }, request)).rejects.toMatchObject({
    userMessage: { message: 'imports.refused.transferUnreadable' },
  });
});
