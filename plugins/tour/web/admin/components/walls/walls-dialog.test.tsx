import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeServer, renderScreen, type FakeReply } from '#core/testing/web';
import type { ContentDeck, DeckWall } from '../../../../contract/api/tour-content.ts';
import tour from '../../../index.ts';
import { WallsDialog } from './walls-dialog.tsx';

const plugins = [{ id: 'tour', settings: {}, web: tour, bridges: [] }];
const wallsEndpoint = 'PUT /api/tour-content/:location/decks/:deck/walls';
const savedReply: FakeReply = { status: 200, body: { change: 'change-1' } };
/** Builds a deck whose plan is 100 m by 50 m, north up, with its lower left corner at the site's origin. */
const buildDeck = (walls: DeckWall[] = [], changes: Partial<ContentDeck> = {}): ContentDeck => ({
  uid: 'deck-1',
  code: 'MD-1',
  name: 'Main deck',
  location: 'u',
  elevation: 20,
  floor: 'PLATED',
  plan: {
    address: '/api/files/plan-1',
    width: 1000,
    height: 500,
    placement: { centre: [50, 25], scale: 0.1, heading: 0 },
    points: [],
  },
  walls,
  version: 3,
  ...changes,
});

async function setup(deck: ContentDeck, server = new FakeServer().on(wallsEndpoint, savedReply)) {
  const onClose = vi.fn<() => void>();
  const onSaved = vi.fn<(change: string | null) => void>();
  const rendered = await renderScreen(<WallsDialog location="u" deck={deck} onClose={onClose} onSaved={onSaved} />, {
    plugins,
    server,
  });
  const press = (name: string | RegExp) => rendered.user.click(screen.getByRole('button', { name }));
  /** Clicks at site coordinates in metres. The plan has 1000 x 500 pixels on the screen. */
  const clickAt = (east: number, north: number) =>
    fireEvent.click(screen.getByRole('application'), { clientX: east * 10, clientY: 500 - north * 10 });
  const sent = () => server.sentTo(wallsEndpoint).map(({ body }) => body);
  return { ...rendered, press, clickAt, sent, onClose, onSaved };
}

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 1000, 500));
});
afterEach(() => vi.restoreAllMocks());

describe('WallsDialog', () => {
  it('[DAT-02] draws walls that meet at corners, inserts points, and undoes steps', async () => {
    const { press, clickAt, sent, onClose, onSaved, user } = await setup(buildDeck());
    clickAt(10, 10);
    clickAt(30, 10);
    expect(screen.getByRole('button', { name: 'Wall 1 20.00\u00A0m' })).toBeDefined();
    // A point on the wall is inserted.
    clickAt(20, 10.5);
    await press('New wall');
    // A point near the end of the first wall snaps to the end.
    clickAt(30.6, 10.6);
    await press('Save walls');
    expect(screen.getByText(/^Wall 2 has one point only/)).toBeDefined();
    clickAt(30, 40);
    clickAt(60, 40);
    await user.keyboard('{Control>}z{/Control}');
    expect(screen.getByText('Together 50.02 m')).toBeDefined();
    await press('Save walls');
    expect(sent()).toEqual([
      {
        version: 3,
        walls: [
          { number: 1, points: [[10, 10], [20, 10.5], [30, 10]] }, // prettier-ignore
          { number: 2, points: [[30, 10], [30, 40]] }, // prettier-ignore
        ],
      },
    ]);
    expect(onSaved).toHaveBeenCalledWith('change-1');
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('[DAT-02] moves and removes points and walls by keyboard', async () => {
    const first: DeckWall = { number: 1, points: [[10, 10], [20, 10], [30, 10]] }; // prettier-ignore
    const second: DeckWall = { number: 4, points: [[50, 10], [50, 20]] }; // prettier-ignore
    const { press, clickAt, sent, user } = await setup(buildDeck([first, second]));
    // Selects the wall at this position.
    clickAt(50, 15);
    const point = screen.getByRole('button', { name: /^Wall 4, point 2: 50.0% from the left/ });
    act(() => point.focus());
    await user.keyboard('{Shift>}{ArrowUp}{ArrowUp}{/Shift}');
    expect(screen.getByRole('button', { name: 'Wall 4 12.00\u00A0m' })).toBeDefined();
    await press('Take back');
    expect(screen.getByRole('button', { name: 'Wall 4 10.00\u00A0m' })).toBeDefined();
    await press(/^Wall 1 /);
    act(() => screen.getByRole('button', { name: /^Wall 1, point 2:/ }).focus());
    await user.keyboard('{Delete}');
    await press('Delete wall 4');
    await press('Save walls');
    expect(sent()).toMatchObject([{ walls: [{ number: 1, points: [[10, 10], [30, 10]] }] }]); // prettier-ignore
  });

  it('keeps the input after a conflict until the person chooses a version', async () => {
    const otherVersion = buildDeck([{ number: 1, points: [[1, 1], [1, 6]] }], { version: 4 }); // prettier-ignore
    const server = new FakeServer().on(wallsEndpoint, {
      status: 409,
      body: { code: 'E007', message: 'Changed meanwhile.', reference: 'r1', current: otherVersion },
    });
    const { press, clickAt, onClose } = await setup(buildDeck(), server);
    clickAt(10, 10);
    clickAt(30, 10);
    await press('Save walls');
    expect(screen.getByRole('button', { name: 'Wall 1 20.00\u00A0m' })).toBeDefined();
    await press('Show the other version');
    expect(screen.getByRole('button', { name: 'Wall 1 5.00\u00A0m' })).toBeDefined();
    expect(onClose).not.toHaveBeenCalled();
  });
});
