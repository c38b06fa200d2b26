import { screen, waitFor } from '@testing-library/react';
import { useState, type ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { BrowserStorage, type InstalledPlugin } from '#core/web';
import {
  buildMe,
  FakeServer,
  ConnectionLostError,
  renderScreen,
  type FakeReply,
  type SentRequest,
} from '#core/testing/web';
import type { AnsweredForm, TourForm } from '#plugins/feedback';
import { locationsWeb } from '#plugins/locations/testing/web';
import { mastersWeb } from '#plugins/masters/testing/web';
import { tourWeb } from '#plugins/tour/testing/web';
import feedbackWeb from '../index.ts';
import TourFormGate from './tour-form-gate.tsx';

const shift = 28_800_000;
const choice = (n: number, name: string, frenchName: string | null = null) => ({
  uid: `00000000-0000-4000-8000-00000000000${n}`,
  name,
  frenchName,
});
const inspection = choice(1, 'Inspection');
const planning = choice(2, 'Planning', 'Planification');
const lifting = choice(3, 'Lifting');
const fullForm: TourForm = {
  remaining: 0,
  questions: [
    { name: 'typeOfWork', choices: [inspection, planning] },
    { name: 'activity', choices: [lifting] },
  ],
  ratings: true,
};
const savedReply: FakeReply = { status: 200, body: { remaining: shift } };

interface Setup {
  readonly form?: FakeReply | (() => FakeReply | Promise<FakeReply>);
  readonly answer?: FakeReply | ((request: SentRequest) => FakeReply | Promise<FakeReply>);
  readonly language?: 'en' | 'fr';
  readonly username?: string;
  readonly gate?: (onPass: () => void) => ReactNode;
}

async function show({
  form = { status: 200, body: fullForm },
  answer = savedReply,
  language = 'en',
  username = 'ada@walkdown.example',
  gate = (onPass) => <TourFormGate location="unit" onPass={onPass} />,
}: Setup = {}) {
  const onPass = vi.fn();
  const server = new FakeServer()
    .on('GET /api/feedback/:location/form', form)
    .on('PUT /api/feedback/:location/forms/:uid', answer);
  const plugins: InstalledPlugin[] = [
    { id: 'feedback', settings: { dropdowns: 2, ratings: true, validFor: shift }, web: feedbackWeb, bridges: [] },
    { id: 'locations', settings: { alphabetical: true }, web: locationsWeb, bridges: [] },
    { id: 'masters', settings: {}, web: mastersWeb, bridges: [] },
    { id: 'tour', settings: {}, web: tourWeb, bridges: [] },
  ];
  const rendered = await renderScreen(gate(onPass), {
    plugins,
    plugin: 'feedback',
    server,
    language,
    me: buildMe({ username }),
  });
  return { ...rendered, server, onPass, storage: rendered.core.host.root.get(BrowserStorage) };
}

const typeOfWork = () => screen.findByRole<HTMLSelectElement>('combobox', { name: /^Type of work/ });
const activity = () => screen.getByRole<HTMLSelectElement>('combobox', { name: /^Activity/ });
const open = () => screen.getByRole('button', { name: 'Open the tour' });
const sent = (server: FakeServer) => server.sentTo('PUT /api/feedback/:location/forms/:uid');

describe('tour form', () => {
  beforeEach(() => localStorage.clear());

  it('asks for type of work, activity and rating, and opens the tour only after the answers', async () => {
    const { user, server, onPass } = await show();
    await typeOfWork();
    expect(screen.getByRole('heading', { level: 1, name: 'What brings you here?' })).toBeDefined();
    expect(screen.getByText(/is valid for 8 hours/)).toBeDefined();
    await user.click(open());
    expect(screen.getAllByText('This is Mandatory')).toHaveLength(2);
    expect(document.activeElement).toBe(await typeOfWork());
    expect(sent(server)).toHaveLength(0);
    await user.selectOptions(await typeOfWork(), 'Planning');
    await user.selectOptions(activity(), 'Lifting');
    await user.click(screen.getByRole('radio', { name: '4 of 5' }));
    expect(onPass).not.toHaveBeenCalled();
    await user.click(open());
    await waitFor(() => expect(onPass).toHaveBeenCalledTimes(1));
    expect(sent(server)[0]?.body).toEqual({
      typeOfWork: planning.uid,
      activity: lifting.uid,
      rating: 4,
    } satisfies AnsweredForm);
  });

  it('is operable by keyboard, and the rating can be cleared', async () => {
    const { user, server, onPass } = await show();
    await user.selectOptions(await typeOfWork(), 'Inspection');
    await user.selectOptions(activity(), 'Lifting');
    activity().focus();
    await user.tab();
    await user.keyboard(' ');
    await user.click(screen.getByRole('button', { name: 'No rating' }));
    expect(screen.queryByRole('button', { name: 'No rating' })).toBeNull();
    open().focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(onPass).toHaveBeenCalledTimes(1));
    expect(sent(server)[0]?.body).toMatchObject({ rating: null });
  });

  it('[PRO-04] has one dropdown and no rating if the profile says so', async () => {
    const { user, server, onPass } = await show({
      form: { status: 200, body: { ...fullForm, questions: fullForm.questions.slice(0, 1), ratings: false } },
    });
    await user.selectOptions(await typeOfWork(), 'Inspection');
    expect(screen.queryByRole('combobox', { name: /^Activity/ })).toBeNull();
    expect(screen.queryByRole('radio')).toBeNull();
    await user.click(open());
    await waitFor(() => expect(onPass).toHaveBeenCalledTimes(1));
    expect(sent(server)[0]?.body).toEqual({ typeOfWork: inspection.uid, activity: '', rating: null });
  });

  it('is skipped while an earlier answer is valid, with as few requests as possible', async () => {
    const first = await show({ form: { status: 200, body: { ...fullForm, remaining: 5000 } } });
    await waitFor(() => expect(first.onPass).toHaveBeenCalledTimes(1));
    first.unmount();
    const second = await show();
    await waitFor(() => expect(second.onPass).toHaveBeenCalledTimes(1));
    expect(second.server.requests.filter(({ path }) => path.includes('feedback'))).toHaveLength(0);
    second.unmount();
    vi.setSystemTime(Date.now() + 5001);
    const third = await show();
    expect(await typeOfWork()).toBeDefined();
    expect(third.onPass).not.toHaveBeenCalled();
    third.unmount();
    vi.useRealTimers();
    const other = await show({ username: 'ben@walkdown.example' });
    expect(await typeOfWork()).toBeDefined();
    expect(other.onPass).not.toHaveBeenCalled();
  });

  it('sends one request when its parent renders again, and calls the newest callback', async () => {
    let reply: (reply: FakeReply) => void = () => undefined;
    const callbacks = [vi.fn(), vi.fn()];
    function Parent() {
      const [index, setIndex] = useState(0);
      return (
        <>
          <button onClick={() => setIndex(1)}>Render anew</button>
          <TourFormGate location="unit" onPass={callbacks[index]!} />
        </>
      );
    }
    const { user, server } = await show({ gate: () => <Parent />, form: () => new Promise((take) => (reply = take)) });
    await user.click(screen.getByRole('button', { name: 'Render anew' }));
    reply({ status: 200, body: { ...fullForm, questions: [] } });
    await waitFor(() => expect(callbacks.map(({ mock }) => mock.calls.length)).toEqual([0, 1]));
    expect(server.sentTo('GET /api/feedback/:location/form')).toHaveLength(1);
  });

  it('is skipped without choices', async () => {
    const { onPass } = await show({ form: { status: 200, body: { ...fullForm, questions: [] } } });
    await waitFor(() => expect(onPass).toHaveBeenCalledTimes(1));
  });

  it('keeps the choices and the uid after a failed request and after a reload', async () => {
    const first = await show({ answer: () => Promise.reject(new ConnectionLostError()) });
    await first.user.selectOptions(await typeOfWork(), 'Planning');
    await first.user.selectOptions(activity(), 'Lifting');
    await first.user.click(open());
    expect((await screen.findByText(/The server could not be reached/)).getAttribute('role')).toBe('alert');
    expect((await typeOfWork()).value).toBe(planning.uid);
    first.unmount();

    const second = await show();
    expect((await typeOfWork()).value).toBe(planning.uid);
    expect(activity().value).toBe(lifting.uid);
    await second.user.click(open());
    await waitFor(() => expect(second.onPass).toHaveBeenCalledTimes(1));
    expect(sent(second.server)[0]?.path).toBe(sent(first.server)[0]?.path);
  });

  it('keeps the choices while the session is expired, and continues after a login in another tab', async () => {
    let resume: (reply: FakeReply) => void = () => undefined;
    const { user, onPass } = await show({ answer: () => new Promise((resolve) => (resume = resolve)) });
    await user.selectOptions(await typeOfWork(), 'Planning');
    await user.selectOptions(activity(), 'Lifting');
    await user.click(open());
    expect((await typeOfWork()).value).toBe(planning.uid);
    expect(onPass).not.toHaveBeenCalled();
    resume(savedReply);
    await waitFor(() => expect(onPass).toHaveBeenCalledTimes(1));
  });

  it('offers the current choices when the server refuses an outdated answer', async () => {
    let offered = fullForm;
    const { user } = await show({
      form: () => ({ status: 200, body: offered }),
      answer: {
        status: 400,
        body: {
          code: 'E002',
          message: 'x',
          reference: 'r',
          fields: [{ pointer: '/activity', message: 'core.validation.choice' }],
        },
      },
    });
    await user.selectOptions(await typeOfWork(), 'Planning');
    await user.selectOptions(activity(), 'Lifting');
    offered = {
      ...fullForm,
      questions: [fullForm.questions[0]!, { name: 'activity', choices: [choice(4, 'Walking')] }],
    };
    await user.click(open());
    expect(await screen.findByText('Choose one of the listed values')).toBeDefined();
    expect(await screen.findByRole('option', { name: 'Walking' })).toBeDefined();
    expect((await typeOfWork()).value).toBe(planning.uid);
  });

  it('shows an error if the questions fail to load, and reloads them when the connection returns', async () => {
    let offline = true;
    const { user } = await show({
      form: () => {
        if (offline) throw new ConnectionLostError();
        return { status: 200, body: fullForm };
      },
    });
    expect(await screen.findByRole('heading', { level: 1, name: 'The server could not be reached' })).toBeDefined();
    expect(screen.getByRole('link', { name: 'Home' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'The server could not be reached' })).toBeDefined();
    offline = false;
    window.dispatchEvent(new Event('online'));
    expect(await typeOfWork()).toBeDefined();
  });

  it('is shown in French, with the French names of choices that have one', async () => {
    await show({ language: 'fr' });
    expect(await screen.findByRole('heading', { level: 1, name: 'Qu’est-ce qui vous amène\u00a0?' })).toBeDefined();
    expect(screen.getByRole('option', { name: 'Planification' })).toBeDefined();
    expect(screen.getByRole('option', { name: 'Inspection' })).toBeDefined();
  });
});
