import { afterEach, describe, expect, it, vi } from 'vitest';
import { watchFocusHelpers } from './quiet-focus-helpers.ts';

/** An element as Fluent's focus library creates it. */
function createHelper(): HTMLElement {
  const element = document.createElement('i');
  element.tabIndex = 0;
  element.setAttribute('aria-hidden', 'true');
  element.setAttribute('data-tabster-dummy', '');
  return element;
}
const readTabIndex = (element: HTMLElement) => element.getAttribute('tabindex');
const press = (key: string) => window.dispatchEvent(new KeyboardEvent('keydown', { key }));

let stop = () => undefined as void;
afterEach(() => {
  stop();
  vi.useRealTimers();
  document.body.innerHTML = '';
});

describe('watchFocusHelpers', () => {
  it('makes the hidden helpers focusable only while Tab is pressed', async () => {
    vi.useFakeTimers();
    const early = document.body.appendChild(createHelper());
    stop = watchFocusHelpers(document);
    const late = document.body.appendChild(createHelper());
    await vi.advanceTimersByTimeAsync(0);
    expect([early, late].map(readTabIndex)).toEqual(['-1', '-1']);
    press('ArrowDown');
    expect(readTabIndex(late)).toBe('-1');
    press('Tab');
    expect([early, late].map(readTabIndex)).toEqual(['0', '0']);
    await vi.advanceTimersByTimeAsync(1);
    expect([early, late].map(readTabIndex)).toEqual(['-1', '-1']);
  });

  it('preserves the tab index that the library sets', async () => {
    vi.useFakeTimers();
    stop = watchFocusHelpers(document);
    const element = document.body.appendChild(createHelper());
    await vi.advanceTimersByTimeAsync(0);
    element.tabIndex = -1;
    press('Tab');
    expect(readTabIndex(element)).toBe('-1');
    element.tabIndex = 0;
    expect([readTabIndex(element), element.tabIndex]).toEqual(['0', 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect([readTabIndex(element), element.tabIndex]).toEqual(['-1', 0]);
  });

  it('ignores all other elements', async () => {
    stop = watchFocusHelpers(document);
    const button = document.body.appendChild(document.createElement('button'));
    await Promise.resolve();
    expect(button.hasAttribute('tabindex')).toBe(false);
  });
});
