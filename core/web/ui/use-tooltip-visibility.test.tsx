import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FluentProvider } from '@fluentui/react-components';
import { ToolButton } from './viewer/tool-button.tsx';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it.each([
  ['shows the name of a tool under the pointer', undefined, true],
  ['does not cover the open menu of another tool', 'menu', false],
  ['does not cover an open dialog', 'dialog', false],
])('%s', (_title, overlay, shown) => {
  render(
    <FluentProvider>
      <ToolButton label="Hide the map" icon={<span />} onClick={() => undefined} />
      {overlay === undefined ? null : <div role={overlay} />}
    </FluentProvider>,
  );
  fireEvent.pointerEnter(screen.getByRole('button', { name: 'Hide the map' }));
  act(() => void vi.advanceTimersByTime(1000));
  expect(screen.queryAllByRole('tooltip')).toHaveLength(shown ? 1 : 0);
});
