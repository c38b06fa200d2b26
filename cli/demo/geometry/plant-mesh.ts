import type { Part } from '../plant/types.ts';
import { TextAtlas } from './atlas.ts';
import { addAirCooler, addExchanger, addPackage, addPump, addTote, addVessel } from './equipment-shapes.ts';
import { addInstrument } from './instrument-shapes.ts';
import { MeshBuilder, type PlantMesh } from './mesh-builder.ts';
import { addPipe, addValve } from './piping-shapes.ts';
import { addCabinet, addExtinguisher, addHoseReel, addLifebuoy, addSign } from './safety-shapes.ts';
import {
  addBeam,
  addBlock,
  addCableTray,
  addGrating,
  addHandrail,
  addLadder,
  addLamp,
  addPost,
  addStair,
} from './structure-shapes.ts';

/** The triangles of all parts, and the atlas of their texts. Deterministic. */
export function createMesh(parts: readonly Part[]): { readonly mesh: PlantMesh; readonly atlas: TextAtlas } {
  const builder = new MeshBuilder();
  const atlas = new TextAtlas();
  for (const part of parts) addPart(builder, atlas, part);
  return { mesh: builder.build(), atlas };
}

function addPart(mesh: MeshBuilder, atlas: TextAtlas, part: Part): void {
  switch (part.kind) {
    case 'vessel':
      return addVessel(mesh, part);
    case 'exchanger':
      return addExchanger(mesh, part);
    case 'pump':
      return addPump(mesh, part);
    case 'air-cooler':
      return addAirCooler(mesh, part);
    case 'package':
      return addPackage(mesh, part);
    case 'tote':
      return addTote(mesh, part);
    case 'line':
      return addPipe(mesh, atlas, part);
    case 'valve':
      return addValve(mesh, part);
    case 'instrument':
      return addInstrument(mesh, part);
    case 'extinguisher':
      return addExtinguisher(mesh, part);
    case 'lifebuoy':
      return addLifebuoy(mesh, part);
    case 'hose-reel':
      return addHoseReel(mesh, part);
    case 'cabinet':
      return addCabinet(mesh, part);
    case 'beam':
      return addBeam(mesh, part);
    case 'post':
      return addPost(mesh, part);
    case 'block':
      return addBlock(mesh, part);
    case 'grating':
      return addGrating(mesh, part);
    case 'handrail':
      return addHandrail(mesh, part);
    case 'stair':
      return addStair(mesh, part);
    case 'ladder':
      return addLadder(mesh, part);
    case 'cable-tray':
      return addCableTray(mesh, part);
    case 'sign':
      return addSign(mesh, atlas, part);
    case 'lamp':
      return addLamp(mesh, part);
  }
}
