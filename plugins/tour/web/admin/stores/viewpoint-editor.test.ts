import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#core/web';
import type { ContentNode, TourContent } from '../../../contract/api/tour-content.ts';
import type { ContentMutations } from './content-mutations.ts';
import { movePose } from './poses.ts';
import { ViewpointEditor } from './viewpoint-editor.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const node: ContentNode = {
  uid: 'a',
  code: 'N1',
  name: 'Pump',
  tour: 't1',
  deck: null,
  location: 'u',
  position: [1, 2, 3],
  heading: 0,
  thumbnail: null,
  posedTilt: null,
  hasPanorama: false,
  version: 1,
};

/** Each save is pending until the test resolves it. */
function setup() {
  const content: { value: TourContent } = {
    value: { decks: [], tours: [], nodes: [node], links: [], alignments: [], hasSurfaces: true },
  };
  const resolvers: (() => void)[] = [];
  const updateNodes = vi.fn(async (_tour: unknown, nodes: readonly Partial<ContentNode>[]) => {
    await new Promise<void>((resolve) => resolvers.push(resolve));
    const { version = 0 } = nodes[0] ?? {};
    content.value = { ...content.value, nodes: [{ ...node, ...nodes[0], version: version + 1 }] };
  });
  const editor = new ViewpointEditor(content, { updateNodes } as unknown as ContentMutations, 'u');
  editor.select(['a']);
  const move = (east: number) => editor.setDrafts((draft) => movePose(draft, [east, 0]));
  const saved = () => updateNodes.mock.calls.map(([, [edited]]) => [edited?.position?.[0], edited?.version]);
  return { editor, updateNodes, pending: resolvers, move, saved };
}

describe('ViewpointEditor', () => {
  it('saves consecutive key presses by one request, and immediately if the focus leaves the plan', () => {
    const { editor, move, saved } = setup();
    move(1);
    editor.saveSoon();
    vi.advanceTimersByTime(500);
    move(1);
    editor.saveSoon();
    vi.advanceTimersByTime(500);
    expect(saved()).toEqual([]);
    editor.saveNow();
    expect(saved()).toEqual([[3, 1]]);
  });

  it('saves a change that is made during a save after that save, with the new version', async () => {
    const { editor, pending, move, saved } = setup();
    move(1);
    editor.autoSave();
    move(5);
    editor.autoSave();
    pending.shift()?.();
    await vi.advanceTimersByTimeAsync(1000);
    expect(saved()).toEqual([
      [2, 1],
      [7, 2],
    ]);
  });

  it('saves nothing if a viewpoint is moved back', async () => {
    const { editor, move, updateNodes } = setup();
    move(1);
    move(-1);
    expect(editor.drafts.size).toBe(0);
    await editor.save();
    expect(updateNodes).not.toHaveBeenCalled();
  });

  it('does not save automatically after a conflict', async () => {
    const { editor, move, updateNodes } = setup();
    const body = { code: 'E007', message: 'Changed.', reference: 'r', current: { ...node, version: 2 } } as const;
    updateNodes.mockRejectedValueOnce(new ApiError(409, body));
    move(1);
    await editor.save();
    expect(editor.theirs?.version).toBe(2);
    move(1);
    editor.autoSave();
    await vi.advanceTimersByTimeAsync(1000);
    expect(updateNodes).toHaveBeenCalledTimes(1);
    void editor.save();
    expect(updateNodes).toHaveBeenCalledTimes(2);
  });
});
