import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OutboxTransport } from '../../core/server/mail/outbox-transport.ts';
import { describeMail, watchOutbox } from './outbox-watch.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'walkdown-outbox-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('watchOutbox', () => {
  it('shows the code of each new mail once, and none of older mails', async () => {
    let now = Date.UTC(2026, 0, 1);
    const outbox = new OutboxTransport(path.join(folder, 'mail'), { now: () => (now += 1000) });
    const mail = (code: string) =>
      ({
        from: 'walkdown@localhost',
        to: 'staff@walkdown.example',
        subject: 'Code',
        text: code,
        content: { kind: 'reset', name: 'Jonas', code, address: 'http://localhost', minutes: 15 },
      }) as const;
    await outbox.deliver(mail('111111'));
    const descriptions: string[] = [];
    const stop = await watchOutbox(path.join(folder, 'mail'), (deliveredMail) =>
      descriptions.push(describeMail(deliveredMail)),
    );
    await outbox.deliver(mail('222222'));
    await outbox.deliver(mail('333333'));
    await vi.waitFor(() => expect(descriptions).toHaveLength(2));
    stop();
    expect(descriptions).toEqual([
      'Mail to staff@walkdown.example: the code is 222222 (to set a new password, valid 15 minutes).',
      'Mail to staff@walkdown.example: the code is 333333 (to set a new password, valid 15 minutes).',
    ]);
  });
});
