import type { Part } from '../plant/types.ts';
import { TextAtlas } from './atlas.ts';
import { drawAirCooler, drawExchanger, drawPackage, drawPump, drawTote, drawVessel } from './equipment-shapes.ts';
import { drawInstrument } from './instrument-shapes.ts';
import { MeshBuilder, type PlantMesh } from './mesh-builder.ts';
import { drawPipe, drawValve } from './piping-shapes.ts';
import { drawCabinet, drawExtinguisher, drawHoseReel, drawLifebuoy, drawSign } from './safety-shapes.ts';
import {
  drawBeam,
  drawBlock,
  drawCableTray,
  drawGrating,
  drawHandrail,
  drawLadder,
  drawLamp,
  drawPost,
  drawStair,
} from './structure-shapes.ts';

/** The triangles of all parts, and the atlas of their texts. Deterministic. */
export function createMesh(parts: readonly Part[]): { readonly mesh: PlantMesh; readonly atlas: TextAtlas } {
  const builder = new MeshBuilder();
  const atlas = new TextAtlas();
  for (const part of parts) drawPart(builder, atlas, part);
  return { mesh: builder.build(), atlas };
}

function drawPart(mesh: MeshBuilder, atlas: TextAtlas, part: Part): void {
  switch (part.kind) {
    case 'vessel':
      return drawVessel(mesh, part);
    case 'exchanger':
      return drawExchanger(mesh, part);
    case 'pump':
      return drawPump(mesh, part);
    case 'air-cooler':
      return drawAirCooler(mesh, part);
    case 'package':
      return drawPackage(mesh, part);
    case 'tote':
      return drawTote(mesh, part);
    case 'line':
      return drawPipe(mesh, atlas, part);
    case 'valve':
      return drawValve(mesh, part);
    case 'instrument':
      return drawInstrument(mesh, part);
    case 'extinguisher':
      return drawExtinguisher(mesh, part);
    case 'lifebuoy':
      return drawLifebuoy(mesh, part);
    case 'hose-reel':
      return drawHoseReel(mesh, part);
    case 'cabinet':
      return drawCabinet(mesh, part);
    case 'beam':
      return drawBeam(mesh, part);
    case 'post':
      return drawPost(mesh, part);
    case 'block':
      return drawBlock(mesh, part);
    case 'grating':
      return drawGrating(mesh, part);
    case 'handrail':
      return drawHandrail(mesh, part);
    case 'stair':
      return drawStair(mesh, part);
    case 'ladder':
      return drawLadder(mesh, part);
    case 'cable-tray':
      return drawCableTray(mesh, part);
    case 'sign':
      return drawSign(mesh, atlas, part);
    case 'lamp':
      return drawLamp(mesh, part);
  }
}
