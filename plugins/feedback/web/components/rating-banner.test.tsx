import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { useService, type InstalledPlugin } from '#core/web';
import { buildMe, ConnectionLostError, FakeServer, renderScreen, type FakeReply } from '#core/testing/web';
import { locationsWeb } from '#plugins/locations/testing/web';
import { mastersWeb } from '#plugins/masters/testing/web';
import { tourWeb } from '#plugins/tour/testing/web';
import feedbackWeb from '../index.ts';
import { RatingStore } from '../stores/rating-store.ts';
import RatingBanner from './rating-banner.tsx';

const form = '00000000-0000-4000-8000-000000000001';
const laterForm = '00000000-0000-4000-8000-000000000002';
const savedReply: FakeReply = { status: 200, body: {} };

async function show(answer: FakeReply | (() => FakeReply | Promise<FakeReply>) = savedReply) {
  const server = new FakeServer().on('PUT /api/feedback/:location/forms/:uid/rating', answer);
  const plugins: InstalledPlugin[] = [
    { id: 'feedback', settings: { dropdowns: 2, ratings: true, validFor: 1000 }, web: feedbackWeb, bridges: [] },
    { id: 'locations', settings: { alphabetical: true }, web: locationsWeb, bridges: [] },
    { id: 'masters', settings: {}, web: mastersWeb, bridges: [] },
    { id: 'tour', settings: {}, web: tourWeb, bridges: [] },
  ];
  let store: RatingStore | undefined;
  function StoreReader() {
    store = useService(RatingStore);
    return <RatingBanner />;
  }
  const rendered = await renderScreen(<StoreReader />, { plugins, plugin: 'feedback', server, me: buildMe({}) });
  const ratings = await waitFor(() => store ?? Promise.reject(new Error('The services are not loaded.')));
  return { ...rendered, server, ratings, sent: () => server.sentTo('PUT /api/feedback/:location/forms/:uid/rating') };
}

const findQuestion = () => screen.queryByRole('group', { name: 'How useful was the tour “Unit 1” to you?' });

describe('rating of a tour', () => {
  beforeEach(() => localStorage.clear());

  it('[TOUR-16] asks only when the person leaves the tour, and sends the rating with the form of the visit', async () => {
    const { user, ratings, sent } = await show();
    act(() => ratings.addForm('unit', form));
    expect(findQuestion()).toBeNull();
    act(() => ratings.handleTourShown('unit', 'Unit 1'));
    expect(findQuestion()).toBeNull();
    act(() => ratings.handleTourLeft('unit'));
    expect(findQuestion()).not.toBeNull();
    await user.click(screen.getByRole('button', { name: '4 of 5' }));
    expect(findQuestion()).toBeNull();
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject({ body: { rating: 4 }, path: `/api/feedback/unit/forms/${form}/rating` });
    act(() => ratings.handleTourShown('unit', 'Unit 1'));
    act(() => ratings.handleTourLeft('unit'));
    expect(findQuestion()).toBeNull();
  });

  it('[TOUR-16] asks at the next start if the page was closed in the tour, and can be skipped', async () => {
    const first = await show();
    act(() => first.ratings.addForm('unit', form));
    act(() => first.ratings.handleTourShown('unit', 'Unit 1'));
    first.unmount();
    const { user, ratings, sent } = await show();
    expect(findQuestion()).toBeNull();
    act(() => ratings.handleTourShown('unit', 'Unit 1'));
    expect(findQuestion()).not.toBeNull();
    await user.click(screen.getByRole('button', { name: 'Skip' }));
    expect(findQuestion()).toBeNull();
    await waitFor(() => expect(sent()[0]?.body).toEqual({ rating: null }));
  });

  it('[TOUR-16] asks for the rating of an earlier visit at the next start, and of the new visit on leaving', async () => {
    const { ratings } = await show();
    act(() => ratings.setUnratedForm('unit', form));
    act(() => ratings.addForm('unit', laterForm));
    expect(ratings.question).toBeUndefined();
    act(() => ratings.handleTourShown('unit', 'Unit 1'));
    expect(ratings.question?.uid).toBe(form);
    act(() => ratings.handleTourLeft('unit'));
    expect(ratings.question?.uid).toBe(laterForm);
  });

  it('does not ask if the tour was left before it was shown, or was rated on another device', async () => {
    const { ratings } = await show();
    act(() => ratings.addForm('unit', form));
    act(() => ratings.setUnratedForm('unit', null));
    act(() => ratings.handleTourShown('unit', 'Unit 1'));
    act(() => ratings.handleTourLeft('unit'));
    expect(findQuestion()).toBeNull();
  });

  it('[TOUR-16] keeps a rating that could not be sent and sends it when the connection returns', async () => {
    let offline = true;
    const { user, ratings, sent } = await show(() => {
      if (offline) throw new ConnectionLostError();
      return savedReply;
    });
    act(() => ratings.addForm('unit', form));
    act(() => ratings.handleTourShown('unit', 'Unit 1'));
    act(() => ratings.handleTourLeft('unit'));
    await user.click(screen.getByRole('button', { name: '5 of 5' }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(localStorage.getItem('walkdown.feedback.ratings')).toContain(form);
    offline = false;
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(localStorage.getItem('walkdown.feedback.ratings')).not.toContain(form));
    expect(sent().at(-1)?.body).toEqual({ rating: 5 });
  });
});
