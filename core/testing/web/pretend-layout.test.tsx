import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Input } from '#core/ui';
import { FormDialog } from '#core/ui-data';
import { renderScreen } from '#core/testing/web';

it('lets an opening dialog focus its first field and stay accessible', async () => {
  await renderScreen(
    <FormDialog title="Edit" action="Save" busy={false} failure={undefined} onSubmit={() => {}} onClose={() => {}}>
      <Input aria-label="Name" />
    </FormDialog>,
  );
  expect(document.activeElement).toBe(screen.getByLabelText('Name'));
  // Fluent hides content outside the dialog with a delay.
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(screen.getByRole('dialog', { name: 'Edit' })).toBeDefined();
});
