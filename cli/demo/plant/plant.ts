import { decks, locations } from './locations.ts';
import { nodes } from './nodes.ts';
import { PlantBuilder } from './plant-builder.ts';
import { addProcessEquipment } from './process-deck.ts';
import { addProcessLines } from './process-lines.ts';
import { addSafetyEquipment } from './safety.ts';
import { addStructure } from './structure.ts';
import { addSurroundings } from './surroundings.ts';
import { toTag } from './tags.ts';
import { addLooseObjects } from './loose-objects.ts';
import type { Equipment, Instrument, Line, Part, Plant, Valve } from './types.ts';
import { addUpperDeck } from './upper-deck.ts';

const builder = new PlantBuilder();
addStructure(builder);
addProcessEquipment(builder);
addProcessLines(builder);
addUpperDeck(builder);
addSafetyEquipment(builder);
addLooseObjects(builder);
addSurroundings(builder);

const equipmentKinds: ReadonlySet<string> = new Set(['vessel', 'exchanger', 'pump', 'air-cooler', 'package', 'tote']);
const isEquipment = (part: Part): part is Equipment => equipmentKinds.has(part.kind);

/**
 * The fictitious platform Halvorsen Bravo. All pictures, range images, maps, tags and database rows of the demo come
 * from it. Tests compare measurements with it.
 */
export const plant: Plant = {
  name: 'Halvorsen Bravo',
  locations,
  decks,
  nodes,
  equipment: builder.parts.filter(isEquipment),
  lines: builder.parts.filter((part): part is Line => part.kind === 'line'),
  valves: builder.parts.filter((part): part is Valve => part.kind === 'valve'),
  instruments: builder.parts.filter((part): part is Instrument => part.kind === 'instrument'),
  tags: builder.parts.flatMap((part) => ('tag' in part ? [toTag(part)] : [])),
  parts: builder.parts,
};
