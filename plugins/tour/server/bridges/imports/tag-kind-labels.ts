import type { LocalizedText } from '#plugins/imports';
import type { TagKind } from '../../../contract/values/tag-values.ts';

/** Names of the kinds of equipment, the same as on screens. */
export const tagKindLabels: Readonly<Record<TagKind, LocalizedText>> = {
  VESSEL: { en: 'Vessel', fr: 'Ballon' },
  PUMP: { en: 'Pump', fr: 'Pompe' },
  EXCHANGER: { en: 'Heat exchanger', fr: 'Échangeur de chaleur' },
  COMPRESSOR: { en: 'Compressor', fr: 'Compresseur' },
  TANK: { en: 'Tank', fr: 'Réservoir' },
  VALVE: { en: 'Valve', fr: 'Vanne' },
  INSTRUMENT: { en: 'Instrument', fr: 'Instrument' },
  SAFETY: { en: 'Safety equipment', fr: 'Équipement de sécurité' },
  ELECTRICAL: { en: 'Electrical equipment', fr: 'Équipement électrique' },
  STRUCTURE: { en: 'Structure', fr: 'Structure' },
  OTHER: { en: 'Other equipment', fr: 'Autre équipement' },
};
