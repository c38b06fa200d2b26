import { describe, expect, it, vi } from 'vitest';
import { distanceBetween, minus, computeShortestTurn, toPanTilt, type Point3 } from '#core';
import { ApiError } from '#core/web';
import { toAxes, toCameraFrame, type CameraPose } from '../../../../common/alignment/camera-pose.ts';
import type { ContentNode } from '../../../../contract/api/tour-content.ts';
import { AlignmentEditor } from './alignment-editor.ts';

const node: ContentNode = {
  uid: 'n1',
  code: 'N1',
  name: 'Pump row',
  tour: 't1',
  deck: 'd1',
  location: 'lower',
  position: [0, 0, 2],
  heading: 350,
  thumbnail: null,
  posedTilt: null,
  hasPanorama: true,
  version: 4,
};
const truth: CameraPose = { position: [0.2, -0.1, 2.05], heading: 40, pitch: 0, roll: 0 };
const corners: readonly Point3[] = [
  [4, 1, 3],
  [-3, 5, 1.5],
  [-2, -4, 2.5],
  [3, -3, 0.5],
  [1, 6, 4],
];

function setup() {
  const mutations = { alignNode: vi.fn(async () => undefined), updateNodes: vi.fn(async () => undefined) };
  const editor = new AlignmentEditor(node, mutations);
  const tie = (count: number, pose: CameraPose = truth, panOffset = 0): void => {
    for (const point of corners.slice(0, count)) {
      const { pan, tilt } = toPanTilt(toCameraFrame(toAxes(pose), minus(point, pose.position)));
      editor.markDirection({ pan: computeShortestTurn(0, pan + panOffset), tilt });
      editor.markPoint(point);
    }
  };
  return { editor, mutations, tie };
}

describe('AlignmentEditor', () => {
  it('combines a direction in the picture and a point of the site to a tie, in any order', () => {
    const { editor } = setup();
    editor.markPoint([4, 1, 3]);
    editor.markPoint([4, 1, 2]);
    expect([editor.ties.length, editor.point]).toEqual([0, [4, 1, 2]]);
    editor.markDirection({ pan: 10, tilt: 5 });
    expect(editor.ties).toMatchObject([{ pan: 10, tilt: 5, point: [4, 1, 2] }]);
    expect([editor.point, editor.direction]).toEqual([undefined, undefined]);
    editor.removeTie(editor.ties[0]!.id);
    expect(editor.ties).toEqual([]);
  });

  it('corrects the heading by one tie, and the position by three', () => {
    const { editor, tie } = setup();
    tie(1, { ...truth, position: node.position });
    expect(editor.mode).toBe('heading');
    expect(editor.pose.heading).toBeCloseTo(40, 6);
    expect(editor.pose.position).toEqual(node.position);
    expect(editor.residualBefore).toBeGreaterThan(40);
    editor.removeTie(editor.ties[0]!.id);
    tie(4);
    expect(editor.mode).toBe('pose');
    expect(distanceBetween(editor.pose.position, truth.position)).toBeLessThan(1e-4);
    expect(editor.fit?.residual).toBeLessThan(1e-4);
    editor.chooseMode('heading');
    expect(editor.pose.position).toEqual(node.position);
  });

  it('reports a tilted picture', () => {
    const { editor, tie } = setup();
    tie(5, { ...truth, pitch: 1.5, roll: -2 });
    expect(editor.tilt?.pitch).toBeCloseTo(1.5, 2);
    expect(editor.tilt?.roll).toBeCloseTo(-2, 2);
    const level = setup();
    level.tie(5);
    expect(level.editor.tilt).toBeUndefined();
  });

  it('levels a picture on request with four ties, and automatically with five that show its tilt', async () => {
    const { editor, mutations, tie } = setup();
    const tiltedPose = { ...truth, pitch: 1.5, roll: -2 };
    tie(4, tiltedPose);
    expect([editor.canLevel, editor.isLevelling]).toEqual([true, false]);
    editor.chooseLevelling(true);
    expect(editor.fit?.residual).toBeLessThan(1e-4);
    await editor.save('unit', { others: [], correction: 'HEADING' });
    expect(mutations.alignNode).toHaveBeenCalledWith(
      expect.anything(),
      expect.objectContaining({
        heading: expect.closeTo(40, 3),
        pitch: expect.closeTo(1.5, 3),
        roll: expect.closeTo(-2, 3),
      }),
    );
    const automatic = setup();
    automatic.tie(5, tiltedPose);
    expect(automatic.editor.isLevelling).toBe(true);
    automatic.editor.chooseLevelling(false);
    expect(automatic.editor.isLevelling).toBe(false);
  });

  it('saves the pose with its ties, and the correction of other viewpoints', async () => {
    const { editor, mutations, tie } = setup();
    expect(await editor.save('unit', { others: [], correction: 'HEADING' })).toBe(false);
    tie(4);
    const otherNodes = [{ ...node, uid: 'n2', version: 7 }];
    expect(editor.changed).toBe(true);
    expect(await editor.save('unit', { others: otherNodes, correction: 'POSE' })).toBe(true);
    expect(mutations.alignNode).toHaveBeenCalledWith(
      { location: 'unit', node },
      expect.objectContaining({
        version: 4,
        heading: expect.closeTo(40, 4),
        correction: 'POSE',
        others: [{ uid: 'n2', version: 7 }],
        ties: Array.from({ length: 4 }, () => expect.objectContaining({ used: true })),
      }),
    );
    expect(editor.changed).toBe(false);
  });

  it('saves a heading that was set by turning the picture without ties', async () => {
    const { editor, mutations } = setup();
    editor.turn(-20);
    expect(editor.pose).toEqual({ position: node.position, heading: 340 });
    await editor.save('unit', { others: [], correction: 'HEADING' });
    expect(mutations.updateNodes).toHaveBeenCalledWith(
      { uid: 't1', location: 'unit' },
      [expect.objectContaining({ uid: 'n1', heading: 340, version: 4 })],
      'nodesMoved',
    );
  });

  it('keeps the ties after a conflict', async () => {
    const { editor, mutations, tie } = setup();
    tie(3);
    const body = { code: 'E009', message: 'Changed.', reference: 'r1', current: { ...node, version: 5 } };
    mutations.alignNode.mockRejectedValueOnce(new ApiError(409, body as never));
    expect(await editor.save('unit', { others: [], correction: 'HEADING' })).toBe(false);
    expect([editor.ties.length, editor.changed, editor.saving]).toEqual([3, true, false]);
    editor.setNode({ ...node, version: 5 });
    await editor.save('unit', { others: [], correction: 'HEADING' });
    expect(mutations.alignNode).toHaveBeenLastCalledWith(expect.anything(), expect.objectContaining({ version: 5 }));
  });
});
