import type { DeckCode, Part } from '../plant/types.ts';

export const deckNames: Readonly<Record<DeckCode, string>> = {
  CELLAR: 'Cellar deck',
  PROCESS: 'Process deck',
  UPPER: 'Upper deck',
  OTHER: 'Surroundings',
};

/** The name of the system to which a part belongs in the model's tree. `services` are services by line number. */
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

/** The properties that the viewer shows of a selected object. */
export function describePart(part: Part): Readonly<Record<string, string | number>> {
  const formatMetres = (value: number): string => `${value.toFixed(4)} m`;
  const properties = { object: part.id, kind: part.kind };
  const taggedProperties = 'tag' in part ? { ...properties, tag: part.tag, description: part.description } : properties;
  if (part.kind === 'line')
    return {
      ...properties,
      tag: part.number,
      service: part.service,
      nps: `${part.nps}"`,
      outsideDiameter: formatMetres(part.outsideDiameter + 2 * part.insulation),
      from: part.from,
      to: part.to,
    };
  if (part.kind === 'valve') return { ...taggedProperties, type: part.type, nps: `${part.nps}"`, line: part.line };
  if (part.kind === 'vessel' || part.kind === 'exchanger')
    return {
      ...taggedProperties,
      outsideDiameter: formatMetres(part.outsideDiameter),
      length: formatMetres(part.length),
    };
  if (part.kind === 'instrument')
    return { ...taggedProperties, type: part.type, ...(part.line === undefined ? {} : { line: part.line }) };
  return taggedProperties;
}

/** The display name in the tree. */
export function getPartName(part: Part): string {
  if (part.kind === 'line') return part.number;
  if ('tag' in part) return part.tag;
  if (part.kind === 'sign') return part.text.join(' ');
  return part.id;
}
