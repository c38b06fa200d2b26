import type { Instrument, Point, Vector } from '../plant/types.ts';
import { add, addScaled, cross, scale } from '../plant/vector.ts';
import type { MeshBuilder } from './mesh-builder.ts';
import { addGaugeFace, addThinPipe } from './piping-shapes.ts';
import { addBar, addBox, addRevolvedSurface, addCylinder } from './primitives.ts';

const up: Vector = [0, 0, 1];
const deckSpacingMetres = 7;

/** Adds a field instrument with its stand, impulse line and cable. */
export function addInstrument(mesh: MeshBuilder, part: Instrument): void {
  mesh.beginObject(part.id);
  const { at, facing } = part;
  const side = cross(up, facing);
  switch (part.type) {
    case 'gauge':
    case 'thermometer': {
      const radius = part.type === 'gauge' ? 0.075 : 0.06;
      addGaugeFace(mesh, addScaled(at, facing, 0.02), facing, radius);
      const { tap } = part;
      if (tap) {
        addThinPipe(
          mesh,
          'stainless',
          [
            tap,
            [tap[0], tap[1], at[2] - radius - 0.06],
            [at[0], at[1], at[2] - radius - 0.06],
            [at[0], at[1], at[2] - radius + 0.01],
          ],
          0.009,
        );
        addCylinder(
          mesh,
          'stainless',
          [at[0], at[1], at[2] - radius - 0.07],
          [at[0], at[1], at[2] - radius - 0.02],
          0.022,
        );
        addBar(
          mesh,
          'paint-blue',
          [at[0], at[1], at[2] - radius - 0.045],
          addScaled([at[0], at[1], at[2] - radius - 0.045], side, 0.09),
          0.02,
          0.008,
        );
      }
      return;
    }
    case 'transmitter': {
      const foot: Point = [at[0], at[1], Math.floor(at[2] / deckSpacingMetres + 0.001) * deckSpacingMetres];
      addCylinder(mesh, 'galvanised', addScaled(foot, up, 0.01), addScaled(at, up, 0.12), 0.03);
      addBox(mesh, 'galvanised', addScaled(foot, up, 0.006), [0.09, 0, 0], [0, 0.09, 0], [0, 0, 0.006]);
      const head = addScaled(at, facing, 0.1);
      addRevolvedSurface(
        mesh,
        'paint-blue',
        addScaled(head, facing, -0.1),
        facing,
        [
          [
            [0, 0],
            [0.062, 0],
          ],
          [
            [0.062, 0],
            [0.062, 0.05],
          ],
          [
            [0.068, 0.05],
            [0.068, 0.15],
          ],
          [
            [0.068, 0.15],
            [0.062, 0.15],
          ],
          [
            [0.062, 0.15],
            [0.062, 0.19],
          ],
          [
            [0.062, 0.19],
            [0.045, 0.19],
          ],
        ],
        28,
      );
      addRevolvedSurface(
        mesh,
        'glass',
        addScaled(head, facing, 0.085),
        facing,
        [
          [
            [0.046, 0],
            [0, 0],
          ],
        ],
        24,
      );
      addCylinder(mesh, 'paint-blue', addScaled(head, up, -0.06), addScaled(head, up, -0.13), 0.035);
      addBox(mesh, 'stainless', addScaled(head, up, -0.18), scale(side, 0.055), scale(facing, 0.05), [0, 0, 0.055]);
      addBox(mesh, 'stainless', addScaled(head, up, -0.27), scale(side, 0.07), scale(facing, 0.03), [0, 0, 0.03]);
      for (const sign of [-1, 1])
        addBar(
          mesh,
          'black',
          addScaled(addScaled(head, up, -0.27), side, sign * 0.07),
          addScaled(addScaled(head, up, -0.27), side, sign * 0.11),
          0.03,
          0.008,
          facing,
        );
      addBar(mesh, 'galvanised', addScaled(at, up, -0.08), addScaled(head, up, -0.08), 0.06, 0.01);
      addThinPipe(
        mesh,
        'cable',
        [
          addScaled(head, side, 0.062),
          addScaled(head, side, 0.12),
          [head[0] + side[0] * 0.12, head[1] + side[1] * 0.12, foot[2] + 0.15],
          [foot[0], foot[1], foot[2] + 0.1],
        ],
        0.008,
      );
      if (part.tap) {
        const start = addScaled(head, up, -0.3);
        addThinPipe(
          mesh,
          'stainless',
          [start, [start[0], start[1], start[2] - 0.12], [part.tap[0], part.tap[1], start[2] - 0.12], part.tap],
          0.0065,
        );
      }
      return;
    }
    case 'level-gauge': {
      const halfHeight = (part.height ?? 1) / 2;
      addBox(mesh, 'paint-grey', at, scale(side, 0.05), scale(facing, 0.03), [0, 0, halfHeight]);
      addBox(mesh, 'glass', addScaled(at, facing, 0.031), scale(side, 0.016), scale(facing, 0.004), [
        0,
        0,
        halfHeight * 0.94,
      ]);
      for (let z = -halfHeight + 0.08; z < halfHeight - 0.04; z += 0.12)
        for (const sign of [-1, 1])
          addCylinder(
            mesh,
            'galvanised',
            addScaled(addScaled([at[0], at[1], at[2] + z], side, sign * 0.036), facing, 0.03),
            addScaled(addScaled([at[0], at[1], at[2] + z], side, sign * 0.036), facing, 0.045),
            0.009,
          );
      for (const sign of [-1, 1]) {
        const end: Point = [at[0], at[1], at[2] + sign * (halfHeight + 0.08)];
        addCylinder(mesh, 'paint-grey', [at[0], at[1], at[2] + sign * (halfHeight - 0.01)], end, 0.03);
        addCylinder(mesh, 'paint-grey', end, addScaled(end, facing, -0.34), 0.028);
        addCylinder(mesh, 'paint-red', addScaled(end, facing, 0.03), addScaled(end, facing, 0.06), 0.05);
      }
      return;
    }
    case 'flow-element':
      addBox(mesh, 'stainless', add(at, [0, 0, 0.34]), [0.012, 0, 0], [0, 0.03, 0], [0, 0, 0.1]);
      return;
    case 'gas-detector':
      addBox(mesh, 'galvanised', addScaled(at, facing, 0.01), scale(side, 0.09), scale(facing, 0.01), [0, 0, 0.12]);
      addCylinder(mesh, 'paint-yellow', addScaled(at, facing, 0.02), addScaled(at, facing, 0.13), 0.065);
      addCylinder(
        mesh,
        'stainless',
        addScaled(addScaled(at, facing, 0.08), up, -0.06),
        addScaled(addScaled(at, facing, 0.08), up, -0.17),
        0.035,
      );
      addThinPipe(
        mesh,
        'cable',
        [
          addScaled(addScaled(at, facing, 0.08), up, 0.06),
          addScaled(addScaled(at, facing, 0.08), up, 0.16),
          [at[0], at[1], at[2] + 0.2],
        ],
        0.009,
      );
      return;
    case 'flame-detector':
      addBar(mesh, 'galvanised', at, addScaled(at, facing, 0.14), 0.05, 0.012);
      addCylinder(
        mesh,
        'paint-red',
        addScaled(addScaled(at, facing, 0.12), up, 0.03),
        addScaled(addScaled(at, facing, 0.26), up, -0.05),
        0.06,
      );
      addCylinder(
        mesh,
        'glass',
        addScaled(addScaled(at, facing, 0.26), up, -0.05),
        addScaled(addScaled(at, facing, 0.263), up, -0.052),
        0.05,
      );
      return;
    case 'call-point':
      addBox(mesh, 'paint-red', addScaled(at, facing, 0.04), scale(side, 0.07), scale(facing, 0.04), [0, 0, 0.075]);
      addBox(
        mesh,
        'plastic-white',
        addScaled(at, facing, 0.082),
        scale(side, 0.045),
        scale(facing, 0.002),
        [0, 0, 0.04],
      );
      addThinPipe(mesh, 'cable', [addScaled(at, up, 0.075), addScaled(at, up, 0.7)], 0.009);
      return;
    case 'junction-box': {
      addBox(mesh, 'stainless', addScaled(at, facing, 0.07), scale(side, 0.16), scale(facing, 0.065), [0, 0, 0.2]);
      addBox(mesh, 'stainless', addScaled(at, facing, 0.14), scale(side, 0.165), scale(facing, 0.006), [0, 0, 0.205]);
      for (const x of [-0.13, 0.13])
        for (const z of [-0.17, 0.17])
          addCylinder(
            mesh,
            'galvanised',
            addScaled(addScaled([at[0], at[1], at[2] + z], side, x), facing, 0.14),
            addScaled(addScaled([at[0], at[1], at[2] + z], side, x), facing, 0.155),
            0.009,
          );
      for (let k = -2; k <= 2; k++) {
        const glandTop = addScaled(addScaled(addScaled(at, facing, 0.07), side, k * 0.06), up, -0.2);
        addCylinder(mesh, 'brass', glandTop, addScaled(glandTop, up, -0.05), 0.016);
        addThinPipe(
          mesh,
          'cable',
          [
            addScaled(glandTop, up, -0.05),
            addScaled(glandTop, up, -0.3),
            addScaled(addScaled(glandTop, up, -0.42), facing, -0.05),
          ],
          0.009,
        );
      }
      return;
    }
    case 'beacon':
      addCylinder(mesh, 'paint-grey', at, addScaled(at, facing, 0.08), 0.07);
      addCylinder(
        mesh,
        'plastic-red',
        addScaled(addScaled(at, facing, 0.1), up, -0.02),
        addScaled(addScaled(at, facing, 0.1), up, 0.16),
        0.07,
        0.055,
      );
      return;
  }
}
