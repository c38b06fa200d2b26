import { appendFile, cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { basePath } from '#core';
import { DevSession } from '../../cli/dev/dev-session.ts';
import { streamPath } from '../../cli/dev/dev-client.ts';
import { describeProblemPlainly } from '../../cli/output.ts';
import { waitFor } from '../browser/waiting.ts';
import { atMost, median, type Bench } from './bench.ts';
import { fullProfile } from './support/built-product.ts';
import { createProcessActivity } from './support/process-tree.ts';

/**
 * Changes a screen of the full product in development mode. Measures the rebuild, and the time from the change until an
 * open page is notified.
 */
const bench: Bench = async ({ root, chooseCount }) => {
  const copy = await copyProject(root);
  const rebuilds: number[] = [];
  const problems: string[] = [];
  const activity = createProcessActivity(process.pid);
  const starting = DevSession.start({
    root: copy,
    profile: path.join(copy, 'profiles', `${fullProfile}.json`),
    host: '127.0.0.1',
    port: 0,
    onRebuild: ({ part, milliseconds }) => part === 'web' && rebuilds.push(milliseconds),
    onProblems: (newProblems) => problems.push(...newProblems.map(describeProblemPlainly)),
    describeProblem: describeProblemPlainly,
  });
  const { session, url } = await waitFor('the product in development mode to start', starting, activity);
  const page = new AbortController();
  try {
    const stream = openEvents(`${url}${basePath}/${streamPath}`, page.signal);
    const events = await waitFor('the stream of rebuilds to open', stream, activity);
    await waitFor('the first event of a page', events.next(), activity);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const notificationTimes: number[] = [];
    const rebuildTimes: number[] = [];
    for (let change = 0; change < chooseCount(2, 15); change += 1) {
      rebuilds.length = 0;
      const start = performance.now();
      await appendFile(
        path.join(copy, 'plugins', 'locations', 'web', 'screens', 'home-screen.tsx'),
        `\nconsole.debug(${change});\n`,
      );
      while (rebuilds.length === 0) await waitFor(`the event of a rebuild after change ${change}`, events.next());
      notificationTimes.push(performance.now() - start);
      // One write can trigger the watcher twice.
      await waitFor(`the end of the rebuild after change ${change}`, session.waitForChanges());
      rebuildTimes.push(Math.max(...rebuilds));
    }
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return [
      atMost(50, {
        name: 'dev: rebuild after a change of a screen',
        value: median(rebuildTimes),
        unit: 'ms',
        against: `profile ${fullProfile}, median of ${notificationTimes.length}`,
      }),
      atMost(150, {
        name: 'dev: from the change to the event in the page',
        value: median(notificationTimes),
        unit: 'ms',
        against: `profile ${fullProfile}, median of ${notificationTimes.length}`,
      }),
    ];
  } finally {
    page.abort();
    await session.stop();
    await rm(copy, { recursive: true, force: true });
  }
};
export default bench;

/** Copies the sources of the product, so that the benchmark changes no file of the working copy. */
async function copyProject(root: string): Promise<string> {
  const copy = await mkdtemp(path.join(tmpdir(), 'walkdown-dev-'));
  for (const part of ['core', 'plugins', 'profiles', 'package.json', 'package-lock.json'])
    await cp(path.join(root, part), path.join(copy, part), { recursive: true });
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'), 'dir');
  return copy;
}

/** Opens the stream that pages listen to. `next` waits for the next event. */
async function openEvents(url: string, signal: AbortSignal): Promise<{ readonly next: () => Promise<void> }> {
  const { body } = await fetch(url, { signal });
  if (!body) throw new Error('The stream of rebuilds has no body.');
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  return {
    next: async () => {
      for (;;) {
        const end = buffer.indexOf('\n\n');
        if (end >= 0) {
          buffer = buffer.slice(end + 2);
          return;
        }
        const { value, done } = await reader.read();
        if (done) throw new Error('The stream of rebuilds ended.');
        buffer += value;
      }
    },
  };
}
