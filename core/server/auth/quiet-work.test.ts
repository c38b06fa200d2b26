import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { QuietWork } from './quiet-work.ts';

const logged = () => {
  const lines: string[] = [];
  return { lines, log: pino({}, { write: (line: string) => void lines.push(line) }) };
};

describe('quiet work', () => {
  it('is done a few at a time, and idle when all is done', async () => {
    const quiet = new QuietWork(logged().log);
    let running = 0;
    let most = 0;
    let done = 0;
    for (let count = 0; count < 20; count += 1) {
      quiet.run('count', async () => {
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        done += 1;
      });
    }
    await quiet.idle();
    expect([done, most]).toEqual([20, 4]);
    await quiet.idle();
  });

  it('goes on after a failure, which is logged', async () => {
    const { lines, log } = logged();
    const quiet = new QuietWork(log);
    let done = false;
    quiet.run('fail', () => Promise.reject(new Error('mail server away')));
    quiet.run('work', async () => {
      done = true;
      return Promise.resolve();
    });
    await quiet.idle();
    expect(done).toBe(true);
    expect(lines.join()).toContain('mail server away');
  });

  it('is refused past what may wait, and says so in the log', async () => {
    const { lines, log } = logged();
    const quiet = new QuietWork(log);
    let done = 0;
    for (let count = 0; count < 600; count += 1) quiet.run('flood', () => Promise.resolve(void (done += 1)));
    await quiet.idle();
    expect(done).toBe(504);
    expect(lines).toHaveLength(96);
  });
});
