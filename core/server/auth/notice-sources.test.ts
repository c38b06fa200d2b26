import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { Caller } from '../access/caller.ts';
import { createNoticeSources } from './notice-sources.ts';

it('treats a failing source as one without notices, and logs it', async () => {
  const lines: string[] = [];
  const notices = createNoticeSources(pino({}, { write: (line: string) => void lines.push(line) }));
  const caller = {} as Caller;
  notices.register(() => Promise.reject(new Error('The table is locked.')));
  expect(await notices.hasNotices(caller)).toBe(false);
  expect(lines.join('')).toContain('The table is locked.');
  notices.register(() => Promise.resolve(true));
  expect(await notices.hasNotices(caller)).toBe(true);
});
