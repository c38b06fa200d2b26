import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toolStripRoom } from './below-tool-strip.ts';
import { ToolStrip } from './tool-strip.tsx';

let resized = (): void => undefined;
beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(notify: () => void) {
        resized = notify;
      }
      observe(): void {}
      disconnect(): void {}
    },
  );
});
afterEach(() => void vi.unstubAllGlobals());

const room = (): string => document.documentElement.style.getPropertyValue(toolStripRoom);

describe('tool strip', () => {
  it('keeps room for itself above what is said over the picture, as high as it is, while it stands there', () => {
    const { unmount } = render(
      <ToolStrip label="Diameter" besidePanel={false}>
        Click a pipe
      </ToolStrip>,
    );
    vi.spyOn(screen.getByRole('group', { name: 'Diameter' }), 'offsetHeight', 'get').mockReturnValue(112);
    resized();
    expect(room()).toBe('120px');
    unmount();
    expect(room()).toBe('');
  });
});
