import { getPipeSize } from './pipe-sizes.ts';
import type { Part, Point, Tag, Vector } from './types.ts';
import { mix, subtract } from './vector.ts';

type TaggedPart = Extract<Part, { readonly tag: string }>;

const tagKinds: Readonly<Record<TaggedPart['kind'], Tag['kind']>> = {
  vessel: 'VESSEL',
  exchanger: 'EXCHANGER',
  pump: 'PUMP',
  'air-cooler': 'EXCHANGER',
  package: 'COMPRESSOR',
  tote: 'TANK',
  valve: 'VALVE',
  instrument: 'INSTRUMENT',
  extinguisher: 'SAFETY',
  lifebuoy: 'SAFETY',
  'hose-reel': 'SAFETY',
  cabinet: 'ELECTRICAL',
  stair: 'STRUCTURE',
  ladder: 'STRUCTURE',
};

/** The tag of a part, with its centre and its axis-aligned size in the site frame. */
export function toTag(part: TaggedPart): Tag {
  const { position, size } = computeExtent(part);
  const kind =
    part.kind === 'package' && !part.tag.startsWith('K-')
      ? 'VESSEL'
      : part.kind === 'instrument' && part.type === 'junction-box'
        ? 'ELECTRICAL'
        : tagKinds[part.kind];
  return {
    tag: part.tag,
    kind,
    description: part.description,
    position,
    size,
    deck: part.deck,
    ...('line' in part && part.line !== undefined ? { line: part.line } : {}),
  };
}

function computeExtent(part: TaggedPart): { position: Point; size: Vector } {
  switch (part.kind) {
    case 'vessel': {
      const d = part.outsideDiameter;
      const fullLength = part.length + d / 2;
      return {
        position: part.centre,
        size: part.axis === 'x' ? [fullLength, d, d] : part.axis === 'y' ? [d, fullLength, d] : [d, d, fullLength],
      };
    }
    case 'exchanger':
      return {
        position: part.centre,
        size: [part.length + part.outsideDiameter, part.outsideDiameter, part.outsideDiameter],
      };
    case 'pump':
      return {
        position: [part.base[0], part.base[1], part.base[2] + 0.65 * part.scale],
        size: [0.8 * part.scale, 2.2 * part.scale, 1.2 * part.scale],
      };
    case 'air-cooler':
    case 'package':
      return { position: mix(part.min, part.max, 0.5), size: subtract(part.max, part.min) };
    case 'tote':
      return { position: [part.base[0], part.base[1], part.base[2] + 0.58], size: [1.2, 1.0, 1.16] };
    case 'valve': {
      const diameter = getPipeSize(part.nps).outsideDiameter / 1000;
      return { position: part.at, size: [diameter * 2.2, diameter * 2.2, diameter * 2.2] };
    }
    case 'instrument':
      return { position: part.at, size: [0.2, 0.2, part.height ?? 0.3] };
    case 'extinguisher':
      return {
        position: [part.base[0] + part.facing[0] * 0.12, part.base[1] + part.facing[1] * 0.12, part.base[2] + 0.45],
        size: [0.2, 0.2, 0.65],
      };
    case 'lifebuoy':
      return { position: part.at, size: [0.75, 0.75, 0.75] };
    case 'hose-reel':
      return { position: [part.base[0], part.base[1], part.base[2] + 1.0], size: [0.9, 0.9, 0.9] };
    case 'cabinet':
      return { position: [part.base[0], part.base[1], part.base[2] + part.size[2] / 2], size: part.size };
    case 'stair':
      return {
        position: mix(part.from, part.to, 0.5),
        size: [part.width, Math.abs(part.to[1] - part.from[1]), part.to[2] - part.from[2]],
      };
    case 'ladder':
      return { position: [part.base[0], part.base[1], part.base[2] + part.height / 2], size: [0.7, 0.7, part.height] };
  }
}
