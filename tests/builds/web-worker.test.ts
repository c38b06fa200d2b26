import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatBrowserTestTitle, launchBrowser, noBrowser } from '../browser/browser.ts';
import { buildFixture, createGeneratedFolder } from './build-fixture.ts';
import { serveWeb } from './serve-web.ts';

let folder: string;
let browser: Browser;

const files = {
  'counting/plugin.ts':
    "import { Type } from 'typebox';\nimport { definePlugin } from '#core';\nexport default definePlugin({ id: " +
    "'counting', title: 'counting.title', base: true, settings: Type.Object({}), access: [], requires: [], bridges: " +
    '[] });\n',
  'counting/web/index.ts':
    "import { routeRef } from '#core';\nimport { webPlugin } from '#core/web';\nexport default webPlugin()({ " +
    "routes: [{ routeRef: routeRef('counting.screen', 'console/counting'), title: 'counting.title', audience: 'user', " +
    "category: 'TOUR', load: () => import('./screen.tsx') }] });\n",
  'counting/web/screen.tsx':
    "import { useEffect, useState } from 'react';\nexport default function Screen() {\n  const [sum, setSum] = " +
    "useState<number>();\n  useEffect(() => {\n    const worker = new Worker(new URL('./sum.worker.ts', " +
    "import.meta.url), { type: 'module' });\n    worker.onmessage = ({ data }) => setSum(data);\n    " +
    'worker.postMessage([1, 2, 39]);\n    return () => worker.terminate();\n  }, []);\n  return <p data-sum>{sum ?? ' +
    "'counting'}</p>;\n}\n",
  'counting/web/sum.worker.ts':
    "import { add } from './add.ts';\nonmessage = ({ data }: MessageEvent<number[]>) => " +
    'postMessage(data.reduce(add, 0));\n',
  'counting/web/add.ts': 'export const add = (a: number, b: number) => a + b;\n',
};

beforeAll(async () => {
  if (noBrowser) return;
  folder = await createGeneratedFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  browser = await launchBrowser();
});
afterAll(async () => {
  if (noBrowser) return;
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(noBrowser)(formatBrowserTestTitle('web worker'), () => {
  it("is a bundled file, has its plugin in the proof, and runs under the page's policy", async () => {
    const { out, proof, remove } = await buildFixture('fixture-none', { extraPluginFolders: [folder] });
    const worker = proof.files.find((file) => /^web\/static\/js\/sum\.worker-\w+\.js$/.test(file.path));
    expect(worker?.plugins).toEqual(['counting']);

    const { origin, close } = await serveWeb(out);
    const page = await browser.newPage();
    const browserErrors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && browserErrors.push(message.text()));
    await page.goto(`${origin}/dashboard/console/counting`);
    await page.getByText('42').waitFor();
    expect(browserErrors).toEqual([]);
    await page.close();
    await close();
    await remove();
  });
});
