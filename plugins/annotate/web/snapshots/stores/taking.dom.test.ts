import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCamera, nameBlobs } from '../../../testing/web/fake-camera.ts';
import { FakeSurface } from '../../../testing/web/fake-surface.ts';
import { Taking } from './taking.ts';

const of = { view: null, node: null, location: 'lower', tour: 'T1', tag: null };
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
  const taking = () =>
    new Taking(
      camera,
      [buildSurface('fixture.scan'), buildSurface('fixture.model')],
      ({ module }) => marks[module as keyof typeof marks],
      of,
    );

  beforeEach(() => {
    nameBlobs();
    camera = new FakeCamera();
  });

  it('[TOUR-11] captures both halves of a split view, or the selected one, with the visible items', async () => {
    const both = taking();
    await vi.waitFor(() => expect(both.state).toBe('ready'));
    expect(both.marks.map(({ name }) => name)).toEqual(['Both', 'Left']);
    both.chooseHalf('fixture.model');
    await vi.waitFor(() => expect(camera.developed).toHaveLength(2));
    expect(both.marks.map(({ name }) => name)).toEqual(['Both']);
    both.chooseBurning(false);
    await vi.waitFor(() => expect(camera.developed).toHaveLength(3));
    expect(camera.developed).toEqual([
      { modules: ['fixture.scan', 'fixture.model'], burnMarks: true },
      { modules: ['fixture.model'], burnMarks: true },
      { modules: ['fixture.model'], burnMarks: false },
    ]);
  });

  it('[TOUR-11] reports that no picture can be captured', async () => {
    camera.broken = true;
    const failed = taking();
    await vi.waitFor(() => expect(failed.state).toBe('failed'));
  });
});
