import { Checkbox, Field, Input } from '@fluentui/react-components';
import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { mandatory, max, maxLength, number } from '#core';
import { renderScreen, type WebSetup } from '#core/testing/web';
import { ApiError } from '../kernel/services.ts';
import { useForm } from './use-form.ts';

interface Valve {
  readonly tag: string;
  readonly day: string;
  readonly open: boolean;
  readonly place: { readonly height: number; readonly position: [number, number] };
  readonly contacts: readonly { readonly name: string }[];
}
const initial: Valve = {
  tag: 'V-1',
  day: '2026-11-23',
  open: true,
  place: { height: 1.5, position: [1, 2] },
  contacts: [{ name: 'Ada' }, { name: 'Bob' }],
};

function ValveForm({ send }: { readonly send: (values: Valve, reset: () => void) => Promise<void> }) {
  const form = useForm({
    initial,
    rules: {
      tag: [mandatory],
      'place.height': [mandatory, number, max(100)],
      'place.position.1': [mandatory, number],
      'contacts.*.name': [mandatory, maxLength(5)],
    },
    validateTogether: ({ tag, place }) =>
      tag === 'V-0' && place.height > 0 ? { tag: { message: 'core.validation.choice' } } : {},
    send,
  });
  const contacts = form.state('contacts');
  return (
    <form onSubmit={form.submit} noValidate aria-label="Valve">
      <Field label="Tag" {...form.field('tag')}>
        <Input {...form.input('tag')} />
      </Field>
      <Field label="Day" {...form.field('day')}>
        <Input type="date" {...form.input('day')} />
      </Field>
      <Checkbox label="Open" {...form.checkbox('open')} />
      <Field label="Height" {...form.field('place.height')}>
        <Input {...form.number('place.height')} />
      </Field>
      <Field label="North" {...form.field('place.position.1')}>
        <Input {...form.number('place.position.1')} />
      </Field>
      {contacts.value.map((_, index) => (
        <Field key={index} label={`Contact ${index}`} {...form.field(`contacts.${index}.name`)}>
          <Input {...form.input(`contacts.${index}.name`)} />
        </Field>
      ))}
      <button type="button" onClick={() => contacts.onChange([...contacts.value, { name: '' }])}>
        Add
      </button>
      <button type="button" onClick={() => contacts.onChange(contacts.value.slice(1))}>
        Remove the first
      </button>
      <output>{`${form.changed ? 'changed' : 'unchanged'}, ${form.failure === undefined ? 'no failure' : 'failed'}`}</output>
      <button type="submit">Save</button>
    </form>
  );
}

async function setup(changes: WebSetup = {}) {
  const send = vi.fn<(values: Valve, reset: () => void) => Promise<void>>(() => Promise.resolve());
  const rendered = await renderScreen(<ValveForm send={send} />, changes);
  const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
  const type = async (label: string, text: string) => {
    await rendered.user.clear(input(label));
    if (text !== '') await rendered.user.type(input(label), text);
  };
  const save = () => rendered.user.click(screen.getByRole('button', { name: 'Save' }));
  const getSentValues = () => send.mock.calls.at(-1)?.[0];
  return { ...rendered, send, input, type, save, sent: getSentValues };
}
const readState = () => screen.getByRole('status').textContent;
const buildRefusal = (pointer: string) =>
  new ApiError(400, {
    code: 'E002',
    message: 'no',
    reference: 'r-1',
    fields: [{ pointer, message: 'core.validation.email' }],
  });

describe('useForm', () => {
  it('sends typed values, including nested values and lists', async () => {
    const { user, type, save, sent } = await setup();
    await type('Tag', 'V-2');
    await type('Day', '2026-12-24');
    await user.click(screen.getByLabelText('Open'));
    await type('Height', '2.25');
    await type('North', '-3');
    await type('Contact 1', 'Eve');
    await save();
    expect(sent()).toEqual({
      tag: 'V-2',
      day: '2026-12-24',
      open: false,
      place: { height: 2.25, position: [1, -3] },
      contacts: [{ name: 'Ada' }, { name: 'Eve' }],
    });
  });

  it('reads and shows a decimal comma in French', async () => {
    const { input, type, save, sent } = await setup({ language: 'fr' });
    expect(input('Height').value).toBe('1,5');
    await type('Height', '2,25');
    await type('North', '-3.5');
    await save();
    expect(sent()?.place).toEqual({ height: 2.25, position: [1, -3.5] });
  });

  it('refuses a comma in English that could separate thousands, and reads any other as a decimal comma', async () => {
    const { type, save, send, sent } = await setup();
    await type('Height', '1,500');
    await save();
    expect(screen.getByText('Enter Number')).toBeDefined();
    expect(send).not.toHaveBeenCalled();
    await type('Height', '5,5');
    await save();
    expect(sent()?.place.height).toBe(5.5);
  });

  it('forgets the errors of list items when the list changes', async () => {
    const { user, type, save } = await setup();
    await type('Contact 0', 'Ada Lovelace');
    await save();
    expect(screen.getByText('Max length 5 chars')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Remove the first' }));
    expect(screen.queryByText('Max length 5 chars')).toBeNull();
  });

  it('keeps the input of a number field and refuses invalid numbers', async () => {
    const { user, type, input, save, send, sent } = await setup();
    await type('Height', '2.');
    expect(input('Height').value).toBe('2.');
    await user.type(input('Height'), '50');
    expect(input('Height').value).toBe('2.50');
    await type('Height', 'abc');
    await save();
    expect([input('Height').value, send.mock.calls.length]).toEqual(['abc', 0]);
    expect(screen.getByText('Enter Number')).toBeDefined();
    await type('Height', '');
    await save();
    expect(screen.getByText('This is Mandatory')).toBeDefined();
    await type('Height', '3');
    await save();
    expect(sent()?.place.height).toBe(3);
  });

  it('validates each item of a list and focuses the first invalid field', async () => {
    const { user, type, input, save, send } = await setup();
    await user.click(screen.getByRole('button', { name: 'Add' }));
    await type('Contact 1', 'Bartholomew');
    await save();
    expect(send).not.toHaveBeenCalled();
    expect([...document.querySelectorAll('[aria-invalid=true]')]).toEqual([input('Contact 1'), input('Contact 2')]);
    expect(document.activeElement).toBe(input('Contact 1'));
  });

  it('validates a field on blur and then on each change', async () => {
    const { user, type } = await setup();
    await type('Height', '101');
    expect(screen.queryByText(/100/)).toBeNull();
    await user.tab();
    expect(screen.getByText(/100/)).toBeDefined();
    await type('Height', '99');
    expect(screen.queryByText(/100/)).toBeNull();
  });

  it('validates across fields', async () => {
    const { type, save, send } = await setup();
    await type('Tag', 'V-0');
    await save();
    expect([send.mock.calls.length, document.querySelectorAll('[aria-invalid=true]').length]).toEqual([0, 1]);
  });

  it('shows a server error at its field and focuses it', async () => {
    const { input, save, send } = await setup();
    let refuse: (cause: unknown) => void = () => undefined;
    send.mockImplementationOnce(() => new Promise((_, reject) => (refuse = reject)));
    await save();
    expect(input('Contact 1').disabled).toBe(true);
    await act(async () => refuse(buildRefusal('/contacts/1/name')));
    await waitFor(() => expect(document.activeElement).toBe(input('Contact 1')));
    expect([input('Contact 1').getAttribute('aria-invalid'), readState()]).toEqual(['true', 'unchanged, no failure']);
    send.mockRejectedValueOnce(buildRefusal('/elsewhere'));
    await save();
    await waitFor(() => expect(readState()).toBe('unchanged, failed'));
  });

  it('tracks whether values differ from the initial values', async () => {
    const { user, type } = await setup();
    expect(readState()).toBe('unchanged, no failure');
    await type('North', '5');
    expect(readState()).toBe('changed, no failure');
    await type('North', '2');
    expect(readState()).toBe('unchanged, no failure');
    await user.click(screen.getByRole('button', { name: 'Remove the first' }));
    expect(readState()).toBe('changed, no failure');
  });

  it('submits once at a time and resets on request', async () => {
    const { type, input, save, send } = await setup();
    let answer: () => void = () => undefined;
    send.mockImplementationOnce(async (_, reset) => {
      await new Promise<void>((resolve) => (answer = resolve));
      reset();
    });
    await type('Height', '7');
    await save();
    expect(input('Height').disabled).toBe(true);
    await save();
    expect(send).toHaveBeenCalledTimes(1);
    await act(async () => answer());
    expect([input('Height').disabled, input('Height').value, readState()]).toEqual([
      false,
      '1.5',
      'unchanged, no failure',
    ]);
  });
});
