import type { DeckCode, Part } from '../plant/types.ts';

export const deckNames: Readonly<Record<DeckCode, string>> = {
  CELLAR: 'Cellar deck',
  PROCESS: 'Process deck',
  UPPER: 'Upper deck',
  OTHER: 'Surroundings',
};

/** The tree node of an object's system, below its deck. `services`: by line number. */
export function findSystem(part: Part, services: ReadonlyMap<string, string>): string {
  switch (part.kind) {
    case 'vessel':
    case 'exchanger':
    case 'pump':
    case 'air-cooler':
    case 'package':
    case 'tote':
      return 'Equipment';
    case 'line':
      return part.service;
    case 'valve':
      return services.get(part.line) ?? 'Valves';
    case 'instrument':
      return 'Instruments';
    case 'extinguisher':
    case 'lifebuoy':
    case 'hose-reel':
      return 'Safety';
    case 'cabinet':
    case 'cable-tray':
    case 'lamp':
      return 'Electrical';
    case 'sign':
      return 'Signs';
    case 'handrail':
    case 'stair':
    case 'ladder':
    case 'grating':
      return 'Access';
    case 'beam':
    case 'post':
    case 'block':
      return 'Structure';
  }
}

/** The properties of a selected object, and its tag. */
export function describePart(part: Part): Readonly<Record<string, string | number>> {
  const metres = (value: number): string => `${value.toFixed(4)} m`;
  const base = { object: part.id, kind: part.kind };
  const tagged = 'tag' in part ? { ...base, tag: part.tag, description: part.description } : base;
  if (part.kind === 'line')
    return {
      ...base,
      tag: part.number,
      service: part.service,
      nps: `${part.nps}"`,
      outsideDiameter: metres(part.outsideDiameter + 2 * part.insulation),
      from: part.from,
      to: part.to,
    };
  if (part.kind === 'valve') return { ...tagged, type: part.type, nps: `${part.nps}"`, line: part.line };
  if (part.kind === 'vessel' || part.kind === 'exchanger')
    return { ...tagged, outsideDiameter: metres(part.outsideDiameter), length: metres(part.length) };
  if (part.kind === 'instrument')
    return { ...tagged, type: part.type, ...(part.line === undefined ? {} : { line: part.line }) };
  return tagged;
}

/** The display name in the tree. */
export function getName(part: Part): string {
  if (part.kind === 'line') return part.number;
  if ('tag' in part) return part.tag;
  if (part.kind === 'sign') return part.text.join(' ');
  return part.id;
}
