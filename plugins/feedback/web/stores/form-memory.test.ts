import { beforeEach, describe, expect, it } from 'vitest';
import type { BrowserStorage } from '#core/web';
import { FormMemory } from './form-memory.ts';

const validFor = 8 * 3_600_000;
const hour = 3_600_000;
const now = Date.UTC(2026, 10, 22, 8);

describe('FormMemory', () => {
  let memory: FormMemory;

  beforeEach(() => {
    const values = new Map<string, string>();
    const storage: BrowserStorage = {
      get: <T>(key: string) => (values.has(key) ? (JSON.parse(values.get(key)!) as T) : undefined),
      set: (key, value) => void values.set(key, JSON.stringify(value)),
      remove: (key) => void values.delete(key),
      clear: () => values.clear(),
      onChange: () => () => undefined,
    };
    memory = new FormMemory(storage, 'ada@walkdown.example', validFor);
  });

  it('remembers an answer until it expires', () => {
    memory.setAnswered('unit', 5 * hour, now);
    expect([now, now + 5 * hour - 1, now + 5 * hour].map((at) => memory.hasValidAnswer('unit', at))).toEqual([
      true,
      true,
      false,
    ]);
    expect(memory.hasValidAnswer('elsewhere', now)).toBe(false);
  });

  it('remembers an answer that is valid for the maximum time', () => {
    memory.setAnswered('unit', validFor, now);
    expect(memory.hasValidAnswer('unit', now)).toBe(true);
  });

  it('ignores an answer that was stored while the clock was ahead', () => {
    memory.setAnswered('unit', validFor, now + 24 * hour);
    expect(memory.hasValidAnswer('unit', now)).toBe(false);
    memory.setAnswered('unit', validFor, now + 1);
    expect(memory.hasValidAnswer('unit', now)).toBe(false);
  });
});
