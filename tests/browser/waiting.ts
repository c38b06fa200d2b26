import type { Page } from 'playwright';
import { maxWaitMs } from '../../core/testing/max-wait.ts';

/** Milliseconds without progress after which a wait ends. */
export const maxIdleMs = maxWaitMs;
const intervalMs = 1000;

/** A value that changes with progress, such as a byte count. It is read once per second. */
export type Activity = () => unknown;

/**
 * Waits for `work`. Only a change of `activity` counts as progress. Time in which this process was too busy to check
 * does not count.
 *
 * @param description a noun for the error message, such as `the first picture`
 * @throws Error after 60 s without progress
 */
export async function waitFor<T>(
  description: string,
  work: Promise<T>,
  activity: Activity = () => undefined,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const idleFailure = new Promise<never>((_, reject) => {
    let last = activity();
    let idleMs = 0;
    timer = setInterval(() => {
      const current = activity();
      idleMs = current === last ? idleMs + intervalMs : 0;
      last = current;
      if (idleMs >= maxIdleMs) reject(new Error(`Waited ${maxIdleMs / 1000} s without progress for ${description}.`));
    }, intervalMs);
  });
  // Ignores a later failure, because the work may fail when the caller closes its resources.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, idleFailure]);
  } finally {
    clearInterval(timer);
  }
}

interface PageWatch {
  events: number;
  readonly problems: string[];
}

const watches = new WeakMap<Page, PageWatch>();

/**
 * Waits for work in a page. Requests, responses, console output and navigation count as progress. The error message
 * includes the last errors of the page since the first call for this page.
 */
export async function waitInPage<T>(page: Page, description: string, work: Promise<T>): Promise<T> {
  const { problems } = ensureWatch(page);
  try {
    return await waitFor(description, work, createPageActivity(page));
  } catch (error) {
    if (error instanceof Error && problems.length > 0)
      error.message += ` In the page: ${problems.slice(-3).join('; ')}`;
    throw error;
  }
}

/** Creates the activity of a page, as for `waitInPage`. */
export function createPageActivity(page: Page): Activity {
  const watch = ensureWatch(page);
  return () => watch.events;
}

function ensureWatch(page: Page): PageWatch {
  const existingWatch = watches.get(page);
  if (existingWatch) return existingWatch;
  const watch: PageWatch = { events: 0, problems: [] };
  watches.set(page, watch);
  const countEvent = (): void => void (watch.events += 1);
  page.on('request', countEvent);
  page.on('requestfinished', countEvent);
  page.on('framenavigated', countEvent);
  page.on('response', (response) => {
    countEvent();
    if (response.status() >= 400) watch.problems.push(`the server replied ${response.status()} to ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    countEvent();
    watch.problems.push(`${request.url()} failed: ${request.failure()?.errorText ?? 'no reason'}`);
  });
  page.on('console', (message) => {
    countEvent();
    if (message.type() === 'error') watch.problems.push(message.text());
  });
  page.on('pageerror', ({ message }) => watch.problems.push(message));
  return watch;
}
