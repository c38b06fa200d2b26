import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Problem } from '../../cli/cli-error.ts';
import { DevSession } from '../../cli/dev/dev-session.ts';
import { describeProblemPlainly } from '../../cli/output.ts';
import { formatBrowserTestTitle, launchBrowser, noBrowser } from '../browser/browser.ts';
import { createFixtureShell, createGeneratedFolder } from './build-fixture.ts';

const project = path.resolve(import.meta.dirname, '..', '..');
const fixtures = path.join(import.meta.dirname, 'fixtures');
let folder: string;
let session: DevSession;
let url: string;
let browser: Browser;
let page: Page;
const rebuilds: number[] = [];
const problems: string[] = [];

beforeAll(async () => {
  if (noBrowser) return;
  folder = await createGeneratedFolder();
  await mkdir(path.join(folder, 'plugins'));
  await cp(path.join(fixtures, 'plugins'), path.join(folder, 'plugins'), { recursive: true });
  await cp(path.join(fixtures, 'stand-ins'), path.join(folder, 'plugins'), { recursive: true });
  ({ session, url } = await DevSession.start({
    root: project,
    profile: path.join(fixtures, 'profiles', 'fixture-both.json'),
    pluginsFolders: [path.join(folder, 'plugins')],
    core: createFixtureShell(),
    host: '127.0.0.1',
    port: 0,
    onRebuild: ({ part, milliseconds }) => part === 'web' && rebuilds.push(milliseconds),
    onProblems: (reportedProblems) => problems.push(...reportedProblems.map(describeProblemPlainly)),
    describeProblem: describeProblemPlainly,
  }));
  browser = await launchBrowser();
  page = await browser.newPage();
  await page.goto(`${url}/dashboard/console/fixture-alpha-route-marker`);
});
afterAll(async () => {
  if (noBrowser) return;
  await browser.close();
  await session.stop();
  await rm(folder, { recursive: true, force: true });
});

const toSourcePath = (name: string) => path.join(folder, 'plugins', 'fixture-alpha', name);
async function editSource(name: string, from: string, to: string): Promise<void> {
  await writeFile(toSourcePath(name), (await readFile(toSourcePath(name), 'utf8')).replace(from, to));
}

describe.skipIf(noBrowser)(formatBrowserTestTitle('product in development'), () => {
  it('renders its screens', async () => {
    expect(problems).toEqual([]);
    await page.getByText('fixture-alpha-message-marker').waitFor();
  });

  it('shows a changed message in an open page after a short rebuild', async () => {
    rebuilds.length = 0;
    await editSource('web/messages/en.json', 'fixture-alpha-message-marker', 'changed-message');
    await page.getByText('changed-message').waitFor();
    expect(rebuilds.length).toBeGreaterThan(0);
    // The benchmark checks the limit of 50 ms on an idle machine.
    expect(Math.min(...rebuilds)).toBeLessThan(500);
  });

  it('shows build errors in the page and removes them after a fix', async () => {
    await editSource('web/screens/alpha-screen.tsx', 'export default function', 'export default functio');
    const panel = page.locator('#walkdown-problems');
    await panel.waitFor();
    expect(await panel.innerText()).toMatch(/alpha-screen\.tsx:\d+:\d+/);
    await editSource('web/screens/alpha-screen.tsx', 'export default functio', 'export default function');
    await panel.waitFor({ state: 'detached' });
    await page.getByText('changed-message').waitFor();
  });

  it('refuses an import that the build refuses', async () => {
    await editSource(
      'web/screens/alpha-screen.tsx',
      "import { useText } from '#core/web';",
      "import { useText } from '#core/web';\nimport '../../server/index.ts';",
    );
    await vi.waitFor(async () =>
      expect(await page.locator('#walkdown-problems').innerText()).toContain("server/index.ts' is server code"),
    );
    await editSource('web/screens/alpha-screen.tsx', "\nimport '../../server/index.ts';", '');
    await page.locator('#walkdown-problems').waitFor({ state: 'detached' });
  });
});

it('starts and reports the problem if the profile does not exist', async () => {
  const reportedProblems: Problem[] = [];
  const { session: devSession } = await DevSession.start({
    root: project,
    profile: path.join(os.tmpdir(), 'walkdown-no-such-folder', 'profile.json'),
    pluginsFolders: [path.join(fixtures, 'plugins')],
    core: createFixtureShell(),
    host: '127.0.0.1',
    port: 0,
    onRebuild: () => undefined,
    onProblems: (current) => reportedProblems.push(...current),
    describeProblem: describeProblemPlainly,
  });
  await devSession.stop();
  expect(reportedProblems.map(({ cause }) => cause)).toEqual(['There is no such profile.']);
});
