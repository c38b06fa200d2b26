import { fireEvent, render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { RowPicture } from './row-picture.tsx';

it('shows no broken picture, and the next one again', () => {
  const { container, rerender } = render(<RowPicture address="/a.jpg" />);
  fireEvent.error(container.querySelector('img')!);
  expect(container.querySelector('img')).toBeNull();
  rerender(<RowPicture address="/b.jpg" />);
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/b.jpg');
});
