import { render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { CoverContext, type CoverEdge } from './cover.ts';
import { ToolStrip } from './tool-strip.tsx';

it('reports its covered area to the viewer while it is mounted', () => {
  const uncover = vi.fn();
  const cover = vi.fn((_element: HTMLElement | null, _edge: CoverEdge | undefined) => uncover);
  const { unmount } = render(
    <CoverContext value={(edge) => (element) => cover(element, edge)}>
      <ToolStrip label="Diameter">Click a pipe</ToolStrip>
    </CoverContext>,
  );
  expect(cover.mock.calls).toEqual([[screen.getByRole('group', { name: 'Diameter' }), 'top']]);
  expect(uncover).not.toHaveBeenCalled();
  unmount();
  expect(uncover).toHaveBeenCalledTimes(1);
});
