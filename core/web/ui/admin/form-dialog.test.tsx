import { useState } from 'react';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
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
