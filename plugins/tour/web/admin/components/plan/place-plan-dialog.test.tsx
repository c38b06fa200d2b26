import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { observable, runInAction } from 'mobx';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeServer, renderScreen, type FakeReply, type WebSetup } from '#core/testing/web';
import { defaultSiteRecord, type SiteUnit } from '#core';
import { Sites, UnsavedWork } from '#core/web';
import type { ContentDeck, PlacedPlan, PlanPoint } from '../../../../contract/api/tour-content.ts';
import tour from '../../../index.ts';
import { PlacePlanDialog } from './place-plan-dialog.tsx';

const plugins = [{ id: 'tour', settings: {}, web: tour, bridges: [] }];
const buildPlan = (changes: Partial<PlacedPlan> = {}): PlacedPlan => ({
  address: '/api/files/plan-1',
  width: 1000,
  height: 500,
  placement: null,
  points: [],
  ...changes,
});
const buildDeck = (changes: Partial<ContentDeck> = {}): ContentDeck => ({
  uid: 'deck-1',
  code: 'MD-1',
  name: 'Main deck',
  location: 'u',
  elevation: 20,
  floor: 'PLATED',
  plan: buildPlan(),
  walls: [],
  version: 3,
  ...changes,
});
/** Three points of a plan whose top is north, with 0.1 m per pixel. */
const corners: PlanPoint[] = [
  { x: 0, y: 1, east: 1000, north: 6_650_000 },
  { x: 1, y: 1, east: 1100, north: 6_650_000 },
  { x: 0, y: 0, east: 1000, north: 6_650_050 },
];
const placementEndpoint = 'PUT /api/tour-content/:location/decks/:deck/placement';
const savedReply: FakeReply = { status: 200, body: { change: 'change-1' } };

async function setup({
  deck = buildDeck(),
  server = new FakeServer(),
  ...options
}: WebSetup & { deck?: ContentDeck } = {}) {
  const onClose = vi.fn<() => void>();
  const onSaved = vi.fn<(change: string | null) => void>();
  const rendered = await renderScreen(
    <PlacePlanDialog location="u" deck={deck} onClose={onClose} onSaved={onSaved} />,
    { plugins, server, ...options },
  );
  const canvas = screen.getByRole('application');
  // Faster than queries by role and typing, which are slow in a large form.
  const input = (name: RegExp) => screen.getByLabelText<HTMLInputElement>(name);
  const enter = (name: RegExp, text: string) => fireEvent.change(input(name), { target: { value: text } });
  const save = (name = 'Save placement') => rendered.user.click(screen.getByText(name, { selector: 'button' }));
  const sent = () => server.sentTo(placementEndpoint).map(({ body }) => body);
  return { ...rendered, server, canvas, input, enter, save, sent, onClose, onSaved };
}
/** Clicks at a position of the plan, which has 1000 x 500 pixels on the screen. */
const clickAt = (element: HTMLElement, x: number, y: number) =>
  fireEvent.click(element, { clientX: x * 1000, clientY: y * 500 });

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 1000, 500));
});
afterEach(() => vi.restoreAllMocks());

describe('PlacePlanDialog', () => {
  it('[DAT-02] places a plan by two points, and recommends a third one as a check', async () => {
    const server = new FakeServer().on(placementEndpoint, savedReply);
    const { canvas, input, enter, save, sent, onClose, onSaved } = await setup({ server });
    expect(screen.getByText(/^Mark at least two points on the plan/)).toBeDefined();
    clickAt(canvas, 0, 1);
    await waitFor(() => expect(document.activeElement).toBe(input(/^East of point 1/)));
    enter(/^East of point 1/, '1000');
    enter(/^North of point 1/, '6650000');
    expect(screen.getByText('The placement needs at least two points with coordinates.')).toBeDefined();
    clickAt(canvas, 1, 1);
    enter(/^East of point 2/, '1082');
    enter(/^North of point 2/, '6650000.0');
    expect(screen.getByText('1 px = 0.0820 m')).toBeDefined();
    expect(screen.getByText('The plan is 82.0 × 41.0 m')).toBeDefined();
    expect(screen.getByText('0.0°')).toBeDefined();
    expect(screen.getByText(/^Two points always fit exactly/)).toBeDefined();
    await save();
    expect(onSaved).toHaveBeenCalledWith('change-1');
    expect(onClose).toHaveBeenCalledOnce();
    expect(sent()).toEqual([
      {
        version: 3,
        points: [
          { x: 0, y: 1, east: 1000, north: 6_650_000 },
          { x: 1, y: 1, east: 1082, north: 6_650_000 },
        ],
      },
    ]);
  });

  it('takes and shows coordinates in the unit of the site, and saves metres', async () => {
    const record = defaultSiteRecord('UTC');
    const server = new FakeServer().on(placementEndpoint, savedReply);
    const exactNorth = 6_650_000.123456;
    const point = { x: 0, y: 1, east: 1000, north: exactNorth };
    const { canvas, input, enter, save, sent } = await setup({
      server,
      deck: buildDeck({ plan: buildPlan({ points: [point] }) }),
      services: [[Sites, { recordAt: () => ({ ...record, frame: { ...record.frame, unit: 'ft' } }) }]],
    });
    clickAt(canvas, 1, 1);
    expect(input(/^North of point 1 \(ft\)/).value).toBe('21817585.7069');
    enter(/^East of point 2 \(ft\)/, '3608.9239');
    enter(/^North of point 2 \(ft\)/, '21817585.7069');
    expect(screen.getByText('1 px = 0.328 ft')).toBeDefined();
    expect(screen.getByText('The plan is 328.1 × 164.0 ft')).toBeDefined();
    await save();
    expect(sent()).toEqual([
      { version: 3, points: [point, { x: 1, y: 1, east: expect.closeTo(1100, 4), north: exactNorth }] },
    ]);
  });

  it('keeps the unit of the entered coordinates if the unit of the site changes while the dialog is open', async () => {
    const record = defaultSiteRecord('UTC');
    const unit = observable.box<SiteUnit>('m');
    const server = new FakeServer().on(placementEndpoint, savedReply);
    const points = corners.slice(0, 2);
    const { canvas, input, enter, save, sent } = await setup({
      server,
      deck: buildDeck({ plan: buildPlan({ points }) }),
      services: [[Sites, { recordAt: () => ({ ...record, frame: { ...record.frame, unit: unit.get() } }) }]],
    });
    act(() => runInAction(() => unit.set('ft')));
    clickAt(canvas, 0, 0);
    expect(input(/^East of point 3 \(m\)/)).toBeDefined();
    enter(/^East of point 3/, '1000');
    enter(/^North of point 3/, '6650050');
    await save();
    expect(sent()).toEqual([{ version: 3, points: corners }]);
  });

  it('marks residuals above 0.5 m by colour, icon and text, and drops a removed point', async () => {
    const fourth = { x: 1, y: 0, east: 1110, north: 6_650_050 };
    const { user } = await setup({ deck: buildDeck({ plan: buildPlan({ points: [...corners, fourth] }) }) });
    const rows = () =>
      within(screen.getByRole('table', { name: 'Points of the plan' }))
        .getAllByRole('row')
        .slice(1);
    const headers = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(headers).not.toContain('');
    expect(rows()).toHaveLength(4);
    expect(rows()[3]!.textContent).toContain('too far off');
    expect(rows()[3]!.querySelector('svg')).not.toBeNull();
    expect(screen.getByText(/^\d\.\d\d m: too far off$/)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Remove point 4' }));
    expect(rows()).toHaveLength(3);
    expect(rows().map((row) => /0\.00 m/.test(row.textContent))).toEqual([true, true, true]);
  });

  it('saves points that disagree only after a confirmation, and names the point that is probably wrong', async () => {
    const server = new FakeServer().on(placementEndpoint, savedReply);
    const fourth = { x: 1, y: 0, east: 1110, north: 6_650_050 };
    const { enter, save, sent, user } = await setup({
      server,
      deck: buildDeck({ plan: buildPlan({ points: [...corners, fourth] }) }),
    });
    expect(screen.getByText(/Check point 4 first: without it, all others agree\./)).toBeDefined();
    const confirmation = () => screen.getByRole('checkbox', { name: /although point \d is [\d.]+\sm off$/ });
    await save();
    expect(sent()).toEqual([]);
    expect(screen.getByText(/^Correct or remove a point/)).toBeDefined();
    expect(document.activeElement?.getAttribute('type')).toBe('checkbox');
    await user.click(confirmation());
    expect(confirmation()).toHaveProperty('checked', true);
    // Another input needs another confirmation.
    enter(/^East of point 4/, '1120');
    expect(confirmation()).toHaveProperty('checked', false);
    await save();
    expect(sent()).toEqual([]);
    await user.click(confirmation());
    await save();
    expect(sent()).toHaveLength(1);
  });

  it('asks for another confirmation after the image was replaced', async () => {
    const fourth = { x: 1, y: 0, east: 1110, north: 6_650_050 };
    const points = [...corners, fourth];
    const theirs = buildDeck({ version: 7, plan: buildPlan({ address: '/api/files/plan-2', points }) });
    const server = new FakeServer().on(placementEndpoint, {
      status: 409,
      body: { code: 'E007', message: 'Refused.', reference: 'r1', current: theirs },
    });
    const { save, sent, user } = await setup({ server, deck: buildDeck({ plan: buildPlan({ points }) }) });
    await user.click(screen.getByRole('checkbox'));
    await save();
    expect(await screen.findByText(/The image of the plan was replaced/)).toBeDefined();
    expect(screen.getByRole('checkbox')).toHaveProperty('checked', false);
    await save('Save my version');
    expect(sent()).toHaveLength(1);
    await user.click(screen.getByRole('checkbox'));
    await save('Save my version');
    expect(sent()).toHaveLength(2);
  });

  it('saves points without a confirmation if they agree after a correction', async () => {
    const server = new FakeServer().on(placementEndpoint, savedReply);
    const fourth = { x: 1, y: 0, east: 1110, north: 6_650_050 };
    const { enter, save, sent } = await setup({
      server,
      deck: buildDeck({ plan: buildPlan({ points: [...corners, fourth] }) }),
    });
    enter(/^East of point 4/, '1100');
    expect(screen.queryByRole('checkbox')).toBeNull();
    await save();
    expect(sent()).toHaveLength(1);
  });

  it('adds, moves and removes points by keyboard', async () => {
    const { user, canvas, input } = await setup();
    act(() => canvas.focus());
    await user.keyboard('{ArrowRight}{Shift>}{ArrowDown}{/Shift}{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(input(/^East of point 1/)));
    const mark = screen.getByRole('button', { name: 'Point 1: 50.2% from the left, 52.0% from the top' });
    act(() => mark.focus());
    await user.keyboard('{ArrowLeft}{Shift>}{ArrowUp}{/Shift}');
    expect(mark.getAttribute('aria-label')).toBe('Point 1: 50.0% from the left, 50.0% from the top');
    await user.keyboard('{Delete}');
    expect(screen.queryByRole('button', { name: /^Point/ })).toBeNull();
    expect(document.activeElement).toBe(canvas);
    // The step is shorter in a zoomed plan.
    await user.keyboard('++{Shift>}{ArrowRight}{/Shift} ');
    expect(screen.getByRole('button', { name: /^Point 1: 50\.9%/ })).toBeDefined();
  });

  it('does not scroll the plan when a click focuses a field, and shows messages next to the plan', async () => {
    const focus = vi.spyOn(HTMLElement.prototype, 'focus');
    const { canvas, input, save, user } = await setup();
    const readOptions = (name: RegExp) => focus.mock.calls[focus.mock.contexts.lastIndexOf(input(name))]?.[0];
    await save();
    const [message] = screen.getAllByText('The placement needs at least two points with coordinates.');
    expect(canvas.compareDocumentPosition(message!)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    clickAt(canvas, 0.2, 0.1);
    expect(readOptions(/^East of point 1/)).toEqual({ preventScroll: true });
    act(() => canvas.focus());
    await user.keyboard('{Enter}');
    expect(readOptions(/^East of point 2/)).toEqual({ preventScroll: false });
  });

  it('does not make a dragged point jump to the pointer', async () => {
    const { canvas } = await setup();
    clickAt(canvas, 0.4, 0.4);
    const mark = screen.getByRole('button', { name: /^Point 1: 40\.0%/ });
    // jsdom has no pointer events with a position.
    const point = (type: string, clientX: number, clientY: number) =>
      fireEvent(mark, new MouseEvent(type, { bubbles: true, clientX, clientY, buttons: 1 }));
    point('pointerdown', 405, 205);
    point('pointermove', 605, 255);
    point('pointerup', 605, 255);
    point('pointermove', 800, 255);
    expect(mark.getAttribute('aria-label')).toBe('Point 1: 60.0% from the left, 50.0% from the top');
  });

  it('reads coordinates as they are written in French', async () => {
    const server = new FakeServer().on(placementEndpoint, savedReply);
    const { canvas, enter, save, sent } = await setup({ server, language: 'fr' });
    clickAt(canvas, 0, 1);
    clickAt(canvas, 1, 1);
    enter(/^Est du point 1/, '1 234 567,5');
    enter(/^Nord du point 1/, '6\u202f650\u202f000');
    enter(/^Est du point 2/, '1\u00a0234\u00a0667,5');
    enter(/^Nord du point 2/, '6650000');
    expect(screen.getByText(/^Le plan mesure 100,0 × 50,0\sm$/)).toBeDefined();
    await save('Enregistrer le placement');
    expect(sent()).toMatchObject([{ points: [{ east: 1_234_567.5, north: 6_650_000 }, { east: 1_234_667.5 }] }]);
  });

  it('refuses missing coordinates and points that determine no placement', async () => {
    const { canvas, enter, save, sent } = await setup();
    await save();
    expect(screen.getAllByText('The placement needs at least two points with coordinates.')).toHaveLength(2);
    clickAt(canvas, 0.2, 0.2);
    clickAt(canvas, 0.2, 0.2);
    enter(/^East of point 1/, '12 34');
    await save();
    expect(screen.getByText('Enter Number')).toBeDefined();
    expect(screen.getAllByText('This is Mandatory')).toHaveLength(3);
    enter(/^East of point 1/, '1');
    enter(/^North of point 1/, '1');
    enter(/^East of point 2/, '2');
    enter(/^North of point 2/, '2');
    await save();
    expect(screen.getAllByText(/^All points are at the same place of the plan/)).toHaveLength(2);
    expect(sent()).toEqual([]);
  });

  it('warns about a mirrored plan', async () => {
    const points = corners.map((point) => ({ ...point, x: 1 - point.x }));
    await setup({ deck: buildDeck({ plan: buildPlan({ points }) }) });
    expect(screen.getByText(/^The points would agree with the plan if it were mirrored/)).toBeDefined();
  });

  it('[DAT-02] places a plan by scale and north, starting from the current placement', async () => {
    const placement = { centre: [1050, 6_650_025] as const, scale: 0.1, heading: 0 };
    const server = new FakeServer().on(placementEndpoint, savedReply);
    const { canvas, input, enter, save, sent, user } = await setup({
      deck: buildDeck({ plan: buildPlan({ placement }) }),
      server,
    });
    expect(screen.getByRole('tab', { name: 'By scale and north' }).getAttribute('aria-selected')).toBe('true');
    expect(input(/^Distance from A to B/).value).toBe('50');
    expect(screen.getByText('The plan is 100.0 × 50.0 m')).toBeDefined();
    clickAt(canvas, 0.75, 0.5);
    enter(/^Heading of the upper edge/, '90');
    expect(screen.getByText('1 px = 0.200 m')).toBeDefined();
    await save();
    expect(sent()).toEqual([{ version: 3, centre: [1050, 6_650_025], scale: 0.2, heading: 90 }]);
    await user.click(screen.getByRole('tab', { name: 'By points' }));
    expect(screen.queryByRole('button', { name: /^Point/ })).toBeNull();
  });

  it('reports that the plan was removed', async () => {
    const conflictReply: FakeReply = {
      status: 409,
      body: { code: 'E007', message: 'Refused.', reference: 'r1', current: buildDeck({ version: 7, plan: null }) },
    };
    const { enter, save } = await setup({
      deck: buildDeck({ plan: buildPlan({ points: corners.slice(0, 2) }) }),
      server: new FakeServer().on(placementEndpoint, conflictReply),
    });
    enter(/^East of point 2/, '1090');
    await save();
    expect(await screen.findByText(/^Someone else has removed the plan meanwhile/)).toBeDefined();
  });

  it('keeps the input after a conflict, and saves the input or shows the current version', async () => {
    const theirDeck = buildDeck({ version: 7, plan: buildPlan({ address: '/api/files/plan-2', points: corners }) });
    const conflict: FakeReply = {
      status: 409,
      body: { code: 'E007', message: 'Refused.', reference: 'r1', current: theirDeck },
    };
    const server = new FakeServer().on(placementEndpoint, conflict);
    const { canvas, enter, save, sent, input, onSaved } = await setup({
      deck: buildDeck({ plan: buildPlan({ points: corners.slice(0, 2) }) }),
      server,
    });
    enter(/^East of point 2/, '1090');
    await save();
    expect(await screen.findByText(/^Someone else has changed this deck meanwhile/)).toBeDefined();
    expect(screen.getByText(/The image of the plan was replaced/)).toBeDefined();
    expect(canvas.querySelector('img')!.getAttribute('src')).toBe('/api/files/plan-2');
    expect(input(/^East of point 2/).value).toBe('1090');
    await save('Save my version');
    expect(sent().map((body) => (body as { version: number }).version)).toEqual([3, 7]);
    expect(onSaved).not.toHaveBeenCalled();
    await act(async () => screen.getByRole('button', { name: 'Show the other version' }).click());
    expect(input(/^East of point 2/).value).toBe('1100');
    expect(screen.queryByText(/^Someone else/)).toBeNull();
    server.on(placementEndpoint, savedReply);
    await save();
    expect(sent().at(-1)).toEqual({ version: 7, points: corners });
    expect(onSaved).toHaveBeenCalledWith('change-1');
  });

  it('loads the current deck if a conflict does not contain it, and shows other failures', async () => {
    const server = new FakeServer()
      .on(placementEndpoint, { status: 409, body: { code: 'E007', message: 'Refused.', reference: 'r1' } })
      .on('GET /api/tour-content/:location', {
        status: 200,
        body: {
          decks: [buildDeck({ version: 9 })],
          tours: [],
          nodes: [],
          links: [],
          alignments: [],
          hasSurfaces: true,
        },
      });
    const { save } = await setup({ deck: buildDeck({ plan: buildPlan({ points: corners }) }), server });
    await save();
    expect(await screen.findByText(/^Someone else has changed this deck meanwhile/)).toBeDefined();
    server.on(placementEndpoint, { status: 404, body: { code: 'E004', message: 'Gone.', reference: 'r2' } });
    await save('Save my version');
    expect(await screen.findByText('Not found. It may have been deleted.')).toBeDefined();
  });

  it('asks before it discards changed input', async () => {
    const { canvas, core, user, onClose } = await setup();
    const unsavedWork = core.host.root.get(UnsavedWork);
    clickAt(canvas, 0.5, 0.5);
    expect(unsavedWork.exists).toBe(true);
    await user.click(screen.getByText('Cancel', { selector: 'button' }));
    expect(onClose).not.toHaveBeenCalled();
    await act(async () => unsavedWork.question!.stay());
    expect(onClose).not.toHaveBeenCalled();
    await user.click(screen.getByText('Cancel', { selector: 'button' }));
    await act(async () => unsavedWork.question!.leave());
    expect(onClose).toHaveBeenCalledOnce();
  });
});
