import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { CloseOnEscape } from './close-on-escape.tsx';

describe('CloseOnEscape', () => {
  it('closes on Escape, stops the event, and ignores other keys', () => {
    const [close, outside] = [vi.fn(), vi.fn()];
    render(
      <div role="presentation" onKeyDown={({ key }) => outside(key)}>
        <CloseOnEscape onClose={close}>
          <input aria-label="Search" />
        </CloseOnEscape>
      </div>,
    );
    fireEvent.keyDown(screen.getByLabelText('Search'), { key: 'a' });
    expect([close.mock.calls, outside.mock.calls]).toEqual([[], [['a']]]);
    fireEvent.keyDown(screen.getByLabelText('Search'), { key: 'Escape' });
    expect(close).toHaveBeenCalledTimes(1);
    expect(outside).toHaveBeenCalledTimes(1);
  });
});
