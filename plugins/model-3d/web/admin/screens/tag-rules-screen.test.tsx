import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { buildMe, FakeServer, pretendSize, renderApp } from '#core/testing/web';
import type { TagRule, TrialRow } from '../../../contract/api/tag-rules.ts';
import model3d from '../../index.ts';

const plugins = [{ id: 'model-3d', settings: { engine: 'builtin' }, web: model3d, bridges: [] }];
const unit = { uid: 'u', name: 'M10', label: 'Process', parent: null, root: 'u', locationType: 'PLATFORM_UNIT' };
const model = {
  uid: 'm1',
  name: 'Skid',
  location: 'u',
  version: 2,
  state: 'READY',
  message: null,
  refusal: null,
  tiles: 0,
  address: '/api/files/1',
  bytes: 2_000_000,
  objects: 5,
  bounds: null,
  pose: { position: [0, 0, 0], heading: 0, scale: 1 },
  report: null,
  updatedAt: '2026-06-02T12:00:00.000Z',
  job: null,
};
const paths = [
  { path: 'tag', count: 95_000, example: 'V-1' },
  { path: 'attributes.DESIGN.Owner', count: 90_000, example: 'AREA-21' },
  { path: 'attributes.DESIGN.Tag', count: 60_000, example: 'V-2101' },
];
const savedRules = { rules: [], version: 0, paths, job: null, failure: null };
const buildRow = (index: number, changes: Partial<TrialRow> = {}): TrialRow => ({
  key: `k${index}`,
  name: `HANDRAIL ${index}`,
  within: ['/SITE', '/ZONE'],
  tag: null,
  rule: null,
  index: null,
  exact: false,
  text: `HANDRAIL ${index}`,
  placed: false,
  candidates: [],
  ...changes,
});
const rowsOfState: Readonly<Record<string, TrialRow>> = {
  MATCHED: buildRow(0, { name: 'V 2101', tag: 'V-2101', rule: 'NAME', index: 1, placed: true }),
  AMBIGUOUS: buildRow(0, { name: '/X-1', candidates: ['X.1', 'X_1'] }),
  TAG_WITHOUT_OBJECT: buildRow(0, { key: null, name: null, within: [], tag: 'V-9', text: null }),
};

/** A model of 100,000 objects, most of which have no tag. */
const createServer = () =>
  new FakeServer()
    .on('GET /api/locations', { status: 200, body: [unit] })
    .on('GET /api/model-3d/:location/managed-models', { status: 200, body: [model] })
    .on('GET /api/model-3d/:location/models/:model/tag-rules', { status: 200, body: savedRules })
    .on('GET /api/model-3d/:location/models/:model/tag-positions', {
      status: 200,
      body: { placeable: 12, several: 1 },
    })
    .on('POST /api/model-3d/:location/models/:model/tag-rules/trial', ({ body }) => {
      const {
        rules,
        state,
        offset = 0,
      } = body as {
        readonly rules: readonly TagRule[];
        readonly state: string;
        readonly offset?: number;
      };
      const row = rowsOfState[state];
      const total = row ? 1 : 99_000;
      return {
        status: 200,
        body: {
          total,
          offset,
          rows: row ? [row] : Array.from({ length: 200 }, (_, index) => buildRow(offset + index)),
          counts: {
            objects: 100_000,
            MATCHED: 900,
            AMBIGUOUS: 1,
            UNMATCHED: 99_000,
            TAG_WITHOUT_OBJECT: 1,
            byNumber: 20,
            byParent: 300,
            manual: 2,
            byRule: rules.map((_, index) => index * 10),
          },
        },
      };
    });
const sentRules = (server: FakeServer, when: string) =>
  server.sentTo(when).map(({ body }) => (body as { readonly rules: readonly TagRule[] }).rules);

describe('TagRulesScreen', () => {
  const open = async (server: FakeServer) => {
    pretendSize(1200, 800);
    const rendered = await renderApp({
      server,
      plugins,
      me: buildMe({ isAdmin: true }),
      url: '/admin/console/tag-rules?location=u',
    });
    await screen.findByText(/objects have a tag/);
    return rendered;
  };

  it('[TOUR-26] proposes rules, tries them as they are edited, and lists objects and tags without a match', async () => {
    const server = createServer();
    const { user } = await open(server);
    expect(screen.getByText(/are proposed from the names/)).toBeDefined();
    const trial = 'POST /api/model-3d/:location/models/:model/tag-rules/trial';
    expect(sentRules(server, trial)[0]).toEqual([
      { kind: 'EXTRAS', path: 'attributes.DESIGN.Tag', part: 'WHOLE' },
      { kind: 'NAME', part: 'WHOLE' },
      { kind: 'NAME', part: 'BEFORE_SLASH' },
      { kind: 'PARENT', part: 'WHOLE' },
    ]);
    expect((await screen.findAllByText('HANDRAIL 0')).length).toBeGreaterThan(0);
    const rules = within(screen.getByRole('list', { name: /^Rules/ }));
    await user.click(rules.getByRole('button', { name: 'Remove: rule 1' }));
    await user.selectOptions(rules.getAllByLabelText('Which part of the text')[0]!, 'PATTERN');
    await user.type(rules.getByLabelText('Regular expression'), 'V-');
    await waitFor(() =>
      expect(sentRules(server, trial).at(-1)?.[0]).toEqual({ kind: 'NAME', part: 'PATTERN', pattern: 'V-' }),
    );
    for (const [state, text] of [
      ['MATCHED', 'Same letters and digits'],
      ['AMBIGUOUS', 'X.1 · X_1'],
      ['TAG_WITHOUT_OBJECT', 'V-9'],
    ] as const) {
      await user.selectOptions(screen.getByLabelText('Show'), state);
      expect(await screen.findByText(text)).toBeDefined();
      if (state === 'MATCHED') expect(screen.getByText('Position from the model')).toBeDefined();
    }
    // Nothing was saved.
    expect(server.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  it('[TOUR-26] keeps the rules after a conflict, saves them, and undoes the change', async () => {
    const path = '/api/model-3d/:location/models/:model/tag-rules';
    const theirRules = { rules: [{ kind: 'NAME', part: 'WHOLE' }], version: 4 };
    const server = createServer().on(`PUT ${path}`, {
      status: 409,
      body: {
        code: 'E007',
        message: 'changed',
        reference: 'r',
        refusal: { message: 'model-3d.refused.rulesChanged', values: { name: 'Skid' } },
        current: theirRules,
      },
    });
    const { user } = await open(server);
    await user.click(screen.getByRole('button', { name: 'Add a rule' }));
    await user.click(screen.getByRole('button', { name: 'Save and apply' }));
    expect(await screen.findByText(/has saved 1 rule for this model/)).toBeDefined();
    server
      .on(`PUT ${path}`, { status: 200, body: { change: 'c1' } })
      .on(`GET ${path}`, {
        status: 200,
        body: { ...savedRules, rules: theirRules.rules, version: 5, job: { done: 2_000, total: 100_000 } },
      })
      .on('POST /api/changes/:change/undo', { status: 200, body: { change: 'c2' } });
    await user.click(screen.getByRole('button', { name: 'Replace their rules' }));
    expect(await screen.findByText('The rules are being applied')).toBeDefined();
    expect(server.sentTo(`PUT ${path}`).map(({ body }) => (body as { version: number }).version)).toEqual([0, 4]);
    expect(sentRules(server, `PUT ${path}`)[1]).toHaveLength(5);
    expect(screen.getByText('Last change: Tag rules of Skid saved')).toBeDefined();
    await user.click(screen.getAllByRole('button', { name: 'Undo' })[0]!);
    expect(await screen.findByText('Last change: Earlier tag rules of Skid restored')).toBeDefined();
  });

  it('[TOUR-26] sets positions of tags from the model', async () => {
    const path = '/api/model-3d/:location/models/:model/tag-positions';
    const server = createServer().on(`POST ${path}`, { status: 200, body: { change: 'c1', placed: 12 } });
    const { user } = await open(server);
    expect(screen.getByText(/12 tags have no position.*1 tag has several objects/)).toBeDefined();
    server.on(`GET ${path}`, { status: 200, body: { placeable: 0, several: 0 } });
    await user.click(screen.getByRole('button', { name: 'Set 12 positions from the model' }));
    expect(await screen.findByText('Last change: 12 positions set from the model Skid')).toBeDefined();
    expect(screen.queryByRole('heading', { name: 'Positions of tags' })).toBeNull();
  });

  it('says why rules cannot be tried, and keeps them', async () => {
    const server = createServer();
    const { user } = await open(server);
    server.on('POST /api/model-3d/:location/models/:model/tag-rules/trial', {
      status: 400,
      body: {
        code: 'E002',
        message: 'no',
        reference: 'r',
        refusal: { message: 'model-3d.refused.rulePattern', values: { number: 1 } },
      },
    });
    await user.selectOptions(screen.getAllByLabelText('Which part of the text')[0]!, 'PATTERN');
    expect(await screen.findByText(/^Rule 1: the expression is not valid/)).toBeDefined();
    expect(screen.getByLabelText('Regular expression')).toBeDefined();
  });
});
