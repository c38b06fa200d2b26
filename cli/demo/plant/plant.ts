import { decks, locations } from './locations.ts';
import { nodes } from './nodes.ts';
import { PlantBuilder } from './plant-builder.ts';
import { drawProcessEquipment } from './process-deck.ts';
import { drawProcessLines } from './process-lines.ts';
import { drawSafety } from './safety.ts';
import { drawStructure } from './structure.ts';
import { drawSurroundings } from './surroundings.ts';
import { toTag } from './tags.ts';
import { drawTraces } from './traces.ts';
import type { Equipment, Instrument, Line, Part, Plant, Valve } from './types.ts';
import { drawUpperDeck } from './upper-deck.ts';

const builder = new PlantBuilder();
drawStructure(builder);
drawProcessEquipment(builder);
drawProcessLines(builder);
drawUpperDeck(builder);
drawSafety(builder);
drawTraces(builder);
drawSurroundings(builder);

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
