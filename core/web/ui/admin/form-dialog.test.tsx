import { useState } from 'react';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderScreen } from '#core/testing/web';
import { FormDialog } from './form-dialog.tsx';

it('restores the focus of the dialog when a submission ends without closing it', async () => {
  let end: () => void = () => undefined;
  function Sending() {
    const [busy, setBusy] = useState(false);
    end = () => setBusy(false);
    return (
      <FormDialog
        title="Name it"
        action="Save"
        busy={busy}
        failure={undefined}
        onSubmit={(event) => (event.preventDefault(), setBusy(true))}
        onClose={() => undefined}
      >
        <p>Fields</p>
      </FormDialog>
    );
  }
  const { user } = await renderScreen(<Sending />);
  const save = await screen.findByRole<HTMLButtonElement>('button', { name: 'Save' });
  await user.click(save);
  await waitFor(() => expect(save.disabled).toBe(true));
  // Browsers blur a disabled control. jsdom does not, and it can only blur an enabled control.
  save.disabled = false;
  save.blur();
  expect(document.activeElement).toBe(document.body);
  act(end);
  expect(document.activeElement).toBe(save);
});

it('stays open after a click beside it, and closes by Escape', async () => {
  const onClose = vi.fn();
  const { user } = await renderScreen(
    <FormDialog
      title="Name it"
      action="Save"
      busy={false}
      failure={undefined}
      onSubmit={() => undefined}
      onClose={onClose}
    >
      <input aria-label="Name" />
    </FormDialog>,
  );
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'typed');
  await user.click(document.querySelector('.fui-DialogSurface__backdrop')!);
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('textbox', { name: 'Name' }));
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});
