import { act, screen } from '@testing-library/react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { FakeServer, ConnectionLostError, renderScreen, type FakeReply } from '#core/testing/web';
import { HttpClient } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import { useResource } from '../resource/use-resource.ts';
import { ResourceView } from './resource-view.tsx';

const Names = observer(function Names() {
  const http = useService(HttpClient);
  const [location, setLocation] = useState<string | undefined>('a');
  const names = useResource(
    (signal) =>
      location === undefined ? undefined : http.raw<string[]>({ method: 'GET', url: `/api/names/${location}`, signal }),
    [http, location],
  );
  return (
    <>
      <button onClick={() => setLocation('b')}>b</button>
      <button onClick={() => void names.load()}>again</button>
      <ResourceView resource={names} noAccessTo="tools" empty={<p>Nobody</p>}>
        {(value) => <p>{value.join(', ')}</p>}
      </ResourceView>
    </>
  );
});

const renderNames = (reply: FakeReply | (() => FakeReply | Promise<FakeReply>)) => {
  const server = new FakeServer().on('GET /api/names/:location', reply);
  return renderScreen(<Names />, { server });
};
const press = (name: string) => act(async () => screen.getByRole('button', { name }).click());

describe('ResourceView', () => {
  it('shows a skeleton, then the value', async () => {
    let answer: (reply: FakeReply) => void = () => undefined;
    await renderNames(() => new Promise<FakeReply>((resolve) => (answer = resolve)));
    expect(screen.getByLabelText('Loading')).toBeDefined();
    await act(async () => answer({ status: 200, body: ['Ada', 'Bob'] }));
    expect(await screen.findByText('Ada, Bob')).toBeDefined();
  });

  it('shows the empty state for an empty list', async () => {
    await renderNames({ status: 200, body: [] });
    expect(await screen.findByText('Nobody')).toBeDefined();
  });

  it('explains that the person has no access', async () => {
    await renderNames({ status: 403, body: { code: 'E003', message: 'no', reference: 'r-1' } });
    expect(await screen.findByText('You do not have access to the tools')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it('shows the reference of a failure and loads on a retry', async () => {
    const { server } = await renderNames({ status: 500, body: { code: 'E000', message: 'no', reference: 'r-1' } });
    expect((await screen.findByRole('alert')).textContent).toContain('r-1');
    server.on('GET /api/names/:location', { status: 200, body: ['Ada'] });
    await press('Try again');
    expect(await screen.findByText('Ada')).toBeDefined();
  });

  it('shows the not-found state', async () => {
    await renderNames({ status: 404, body: { code: 'E004', message: 'no', reference: 'r-1' } });
    expect(await screen.findByRole('heading', { name: 'Not found' })).toBeDefined();
  });

  it('keeps the value when a refetch fails', async () => {
    const { server } = await renderNames({ status: 200, body: ['Ada'] });
    await screen.findByText('Ada');
    server.on('GET /api/names/:location', () => {
      throw new ConnectionLostError();
    });
    await press('again');
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeDefined();
    expect(screen.getByText('Ada')).toBeDefined();
    server.on('GET /api/names/:location', { status: 200, body: ['Bob'] });
    await press('Try again');
    expect(await screen.findByText('Bob')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it('hides the value of the former location while another location loads', async () => {
    const { server } = await renderNames({ status: 200, body: ['Ada'] });
    await screen.findByText('Ada');
    server.on('GET /api/names/:location', () => new Promise<FakeReply>(() => undefined));
    await press('b');
    expect(screen.queryByText('Ada')).toBeNull();
    expect(screen.getByLabelText('Loading')).toBeDefined();
  });
});
