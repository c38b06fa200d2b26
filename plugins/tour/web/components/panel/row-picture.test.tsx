import { fireEvent, render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { RowPicture } from './row-picture.tsx';

it('hides a picture that fails to load, and shows the next picture', () => {
  const { container, rerender } = render(<RowPicture url="/a.jpg" />);
  fireEvent.error(container.querySelector('img')!);
  expect(container.querySelector('img')).toBeNull();
  rerender(<RowPicture url="/b.jpg" />);
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/b.jpg');
});
