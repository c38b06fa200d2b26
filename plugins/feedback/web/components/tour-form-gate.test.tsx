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
import type { TourFormAnswers, TourFormDefinition } from '#plugins/feedback';
import { locationsWeb } from '#plugins/locations/testing/web';
import { mastersWeb } from '#plugins/masters/testing/web';
import { tourWeb } from '#plugins/tour/testing/web';
import feedbackWeb from '../index.ts';
import TourFormGate from './tour-form-gate.tsx';

const eightHoursMs = 28_800_000;
const buildChoice = (n: number, name: string, frenchName: string | null = null) => ({
  uid: `00000000-0000-4000-8000-00000000000${n}`,
  name,
  frenchName,
});
const inspection = buildChoice(1, 'Inspection');
const planning = buildChoice(2, 'Planning', 'Planification');
const lifting = buildChoice(3, 'Lifting');
const definition: TourFormDefinition = {
  // Milliseconds for which an earlier answer stays valid.
  remaining: 0,
  questions: [
    { name: 'typeOfWork', choices: [inspection, planning] },
    { name: 'activity', choices: [lifting] },
  ],
  unratedForm: null,
};
const savedReply: FakeReply = { status: 200, body: { remaining: eightHoursMs } };

interface Setup {
  readonly form?: FakeReply | (() => FakeReply | Promise<FakeReply>);
  readonly answer?: FakeReply | ((request: SentRequest) => FakeReply | Promise<FakeReply>);
  readonly language?: 'en' | 'fr';
  readonly username?: string;
  readonly gate?: (onPass: () => void) => ReactNode;
}

async function show({
  form = { status: 200, body: definition },
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
    {
      id: 'feedback',
      settings: { dropdowns: 2, ratings: true, validFor: eightHoursMs },
      web: feedbackWeb,
      bridges: [],
    },
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

const findTypeOfWork = () => screen.findByRole<HTMLSelectElement>('combobox', { name: /^Type of work/ });
const getActivity = () => screen.getByRole<HTMLSelectElement>('combobox', { name: /^Activity/ });
const openButton = () => screen.getByRole('button', { name: 'Open the tour' });
const sentForms = (server: FakeServer) => server.sentTo('PUT /api/feedback/:location/forms/:uid');

describe('tour form', () => {
  beforeEach(() => localStorage.clear());

  it('[TOUR-16] asks for type of work and activity but never for the rating, and opens the tour only after the answers', async () => {
    const { user, server, onPass } = await show();
    await findTypeOfWork();
    expect(screen.getByRole('heading', { level: 1, name: 'What brings you here?' })).toBeDefined();
    expect(screen.getByText(/is valid for 8 hours/)).toBeDefined();
    await user.click(openButton());
    expect(screen.getAllByText('This is Mandatory')).toHaveLength(2);
    expect(document.activeElement).toBe(await findTypeOfWork());
    expect(sentForms(server)).toHaveLength(0);
    await user.selectOptions(await findTypeOfWork(), 'Planning');
    await user.selectOptions(getActivity(), 'Lifting');
    expect(screen.queryByRole('button', { name: '4 of 5' })).toBeNull();
    expect(screen.queryByRole('radio')).toBeNull();
    expect(onPass).not.toHaveBeenCalled();
    await user.click(openButton());
    await waitFor(() => expect(onPass).toHaveBeenCalledTimes(1));
    expect(sentForms(server)[0]?.body).toEqual({
      typeOfWork: planning.uid,
      activity: lifting.uid,
    } satisfies TourFormAnswers);
  });

  it('is operable by keyboard', async () => {
    const { user, server, onPass } = await show();
    await user.selectOptions(await findTypeOfWork(), 'Inspection');
    await user.selectOptions(getActivity(), 'Lifting');
    getActivity().focus();
    await user.tab();
    expect(document.activeElement).toBe(openButton());
    await user.keyboard('{Enter}');
    await waitFor(() => expect(onPass).toHaveBeenCalledTimes(1));
    expect(sentForms(server)[0]?.body).toMatchObject({ activity: lifting.uid });
  });

  it('[PRO-04] [TOUR-16] shows one dropdown if the server sends one question', async () => {
    const { user, server, onPass } = await show({
      form: { status: 200, body: { ...definition, questions: definition.questions.slice(0, 1) } },
    });
    await user.selectOptions(await findTypeOfWork(), 'Inspection');
    expect(screen.queryByRole('combobox', { name: /^Activity/ })).toBeNull();
    await user.click(openButton());
    await waitFor(() => expect(onPass).toHaveBeenCalledTimes(1));
    expect(sentForms(server)[0]?.body).toEqual({ typeOfWork: inspection.uid, activity: '' });
  });

  it('[TOUR-16] is skipped while an earlier answer of the same person is valid, without another request', async () => {
    const first = await show({ form: { status: 200, body: { ...definition, remaining: 5000 } } });
    await waitFor(() => expect(first.onPass).toHaveBeenCalledTimes(1));
    first.unmount();
    const second = await show();
    await waitFor(() => expect(second.onPass).toHaveBeenCalledTimes(1));
    expect(second.server.requests.filter(({ path }) => path.includes('feedback'))).toHaveLength(0);
    second.unmount();
    vi.setSystemTime(Date.now() + 5001);
    const third = await show();
    expect(await findTypeOfWork()).toBeDefined();
    expect(third.onPass).not.toHaveBeenCalled();
    third.unmount();
    vi.useRealTimers();
    const otherPerson = await show({ username: 'ben@walkdown.example' });
    expect(await findTypeOfWork()).toBeDefined();
    expect(otherPerson.onPass).not.toHaveBeenCalled();
  });

  it('sends one request when its parent renders again, and calls the newest callback', async () => {
    let reply: (reply: FakeReply) => void = () => undefined;
    const callbacks = [vi.fn(), vi.fn()];
    function Parent() {
      const [index, setIndex] = useState(0);
      return (
        <>
          <button onClick={() => setIndex(1)}>Render again</button>
          <TourFormGate location="unit" onPass={callbacks[index]!} />
        </>
      );
    }
    const { user, server } = await show({
      gate: () => <Parent />,
      form: () => new Promise((resolve) => (reply = resolve)),
    });
    await user.click(screen.getByRole('button', { name: 'Render again' }));
    reply({ status: 200, body: { ...definition, questions: [] } });
    await waitFor(() => expect(callbacks.map(({ mock }) => mock.calls.length)).toEqual([0, 1]));
    expect(server.sentTo('GET /api/feedback/:location/form')).toHaveLength(1);
  });

  it('is skipped if no question has choices', async () => {
    const { onPass } = await show({ form: { status: 200, body: { ...definition, questions: [] } } });
    await waitFor(() => expect(onPass).toHaveBeenCalledTimes(1));
  });

  it('keeps the choices after a failed request and after a reload, and sends the same form uid again', async () => {
    const first = await show({ answer: () => Promise.reject(new ConnectionLostError()) });
    await first.user.selectOptions(await findTypeOfWork(), 'Planning');
    await first.user.selectOptions(getActivity(), 'Lifting');
    await first.user.click(openButton());
    expect((await screen.findByText(/The server could not be reached/)).getAttribute('role')).toBe('alert');
    expect((await findTypeOfWork()).value).toBe(planning.uid);
    first.unmount();

    const second = await show();
    expect((await findTypeOfWork()).value).toBe(planning.uid);
    expect(getActivity().value).toBe(lifting.uid);
    await second.user.click(openButton());
    await waitFor(() => expect(second.onPass).toHaveBeenCalledTimes(1));
    expect(sentForms(second.server)[0]?.path).toBe(sentForms(first.server)[0]?.path);
  });

  it('keeps the choices while the reply is pending, and continues when it arrives', async () => {
    let sendReply: (reply: FakeReply) => void = () => undefined;
    const { user, onPass } = await show({ answer: () => new Promise((resolve) => (sendReply = resolve)) });
    await user.selectOptions(await findTypeOfWork(), 'Planning');
    await user.selectOptions(getActivity(), 'Lifting');
    await user.click(openButton());
    expect((await findTypeOfWork()).value).toBe(planning.uid);
    expect(onPass).not.toHaveBeenCalled();
    sendReply(savedReply);
    await waitFor(() => expect(onPass).toHaveBeenCalledTimes(1));
  });

  it('offers the current choices when the server refuses an outdated answer', async () => {
    let offeredDefinition = definition;
    const { user } = await show({
      form: () => ({ status: 200, body: offeredDefinition }),
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
    await user.selectOptions(await findTypeOfWork(), 'Planning');
    await user.selectOptions(getActivity(), 'Lifting');
    offeredDefinition = {
      ...definition,
      questions: [definition.questions[0]!, { name: 'activity', choices: [buildChoice(4, 'Walking')] }],
    };
    await user.click(openButton());
    expect(await screen.findByText('Choose one of the listed values')).toBeDefined();
    expect(await screen.findByRole('option', { name: 'Walking' })).toBeDefined();
    expect((await findTypeOfWork()).value).toBe(planning.uid);
  });

  it('shows an error if the questions fail to load, and reloads them when the connection returns', async () => {
    let offline = true;
    const { user } = await show({
      form: () => {
        if (offline) throw new ConnectionLostError();
        return { status: 200, body: definition };
      },
    });
    expect(await screen.findByRole('heading', { level: 1, name: 'The server could not be reached' })).toBeDefined();
    expect(screen.getByRole('link', { name: 'Home' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'The server could not be reached' })).toBeDefined();
    offline = false;
    window.dispatchEvent(new Event('online'));
    expect(await findTypeOfWork()).toBeDefined();
  });

  it('is shown in French with the French names of the choices', async () => {
    await show({ language: 'fr' });
    expect(await screen.findByRole('heading', { level: 1, name: 'Qu’est-ce qui vous amène\u00a0?' })).toBeDefined();
    expect(screen.getByRole('option', { name: 'Planification' })).toBeDefined();
    expect(screen.getByRole('option', { name: 'Inspection' })).toBeDefined();
  });
});
