import { act, cleanup, render, screen } from '@testing-library/react';
import { Suspense, useEffect, useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useLoaded } from './loaded.ts';

afterEach(cleanup);

describe('useLoaded', () => {
  it('can be called between other hooks, also if the code was loaded before the first render', async () => {
    const errors = vi.fn();
    const load = () => Promise.resolve({ default: 'the code' });
    function Screen() {
      const [before] = useState('before');
      const code = useLoaded('test', load);
      const [after] = useState('after');
      useEffect(() => undefined, []);
      return <p>{`${before} ${code} ${after}`}</p>;
    }
    const page = (key: string) => (
      <Suspense key={key} fallback={<p>waiting</p>}>
        <Screen />
      </Suspense>
    );
    const { rerender } = await act(async () => render(page('first'), { onRecoverableError: errors }));
    expect(await screen.findByText('before the code after')).toBeTruthy();
    rerender(page('second'));
    expect(screen.getByText('before the code after')).toBeTruthy();
    expect(errors).not.toHaveBeenCalled();
  });
});
