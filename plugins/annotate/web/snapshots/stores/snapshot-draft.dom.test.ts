import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCamera, stubBlobUrls } from '../../../testing/web/fake-camera.ts';
import { FakeSurface } from '../../../testing/web/fake-surface.ts';
import { SnapshotDraft } from './snapshot-draft.ts';

const origin = { view: null, node: null, location: 'lower', tour: 'T1', tag: null };
const buildSurface = (module: string) => Object.assign(new FakeSurface(), { module });
const marks = {
  'fixture.scan': new Map([
    ['a', { name: 'Both', words: '1 m' }],
    ['b', { name: 'Left', words: '2 m' }],
  ]),
  'fixture.model': new Map([['a', { name: 'Both', words: '1 m' }]]),
};

describe('Taking', () => {
  let camera: FakeCamera;
  const createDraft = () =>
    new SnapshotDraft(
      camera,
      [buildSurface('fixture.scan'), buildSurface('fixture.model')],
      ({ module }) => marks[module as keyof typeof marks],
      origin,
    );

  beforeEach(() => {
    stubBlobUrls();
    camera = new FakeCamera();
  });

  it('[TOUR-11] captures both halves of a split view, or only the selected half, with the visible items', async () => {
    const draft = createDraft();
    await vi.waitFor(() => expect(draft.state).toBe('ready'));
    expect(draft.marks.map(({ name }) => name)).toEqual(['Both', 'Left']);
    draft.setHalf('fixture.model');
    await vi.waitFor(() => expect(camera.merges).toHaveLength(2));
    expect(draft.marks.map(({ name }) => name)).toEqual(['Both']);
    draft.setIncludesMarks(false);
    await vi.waitFor(() => expect(camera.merges).toHaveLength(3));
    expect(camera.merges).toEqual([
      { modules: ['fixture.scan', 'fixture.model'], includesMarks: true },
      { modules: ['fixture.model'], includesMarks: true },
      { modules: ['fixture.model'], includesMarks: false },
    ]);
  });

  it('[TOUR-11] fails if no picture can be captured', async () => {
    camera.failing = true;
    const draft = createDraft();
    await vi.waitFor(() => expect(draft.state).toBe('failed'));
  });
});
