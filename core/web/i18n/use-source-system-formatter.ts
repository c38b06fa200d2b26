import type { SourceSystem, SourceUnit } from '#core/api';
import { useText } from './use-text.ts';

export interface SourceSystemFormatter {
  /** A unit's name in the plural, such as `international feet`. */
  formatUnit(unit: SourceUnit): string;
  /** Labels and values for a card with the unit, the coordinate system and the import's conversion. */
  toDetails(system: SourceSystem): readonly (readonly [term: string, value: string])[];
  /** An assumption that an admin should check; undefined if there is none. */
  findWarning(system: SourceSystem): string | undefined;
}

/** Formats units and coordinate systems of imported files in the person's language. */
export function useSourceSystemFormatter(): SourceSystemFormatter {
  const t = useText();
  const formatUnit = ({ unit: name, metres }: SourceUnit): string =>
    t(`core.system.unit.${name}`, { metres: metres ?? 0 });
  const describeUnit = (unit: SourceUnit): string => {
    const basisText = t(`core.system.basis.${unit.basis}`, { unit: formatUnit(unit) });
    return unit.metres === 1 ? basisText : t('core.system.converted', { unit: basisText });
  };
  return {
    formatUnit,
    toDetails: (system) => {
      const { horizontal, vertical, stated: chosenUnit, name, epsg, verticalName, origin, projectedTo } = system;
      const horizontalText = describeUnit(horizontal);
      const sameUnit = vertical.unit === horizontal.unit && vertical.metres === horizontal.metres;
      return [
        [
          t('core.system.unit'),
          chosenUnit === null
            ? horizontalText
            : t('core.system.stated', { unit: horizontalText, stated: formatUnit(chosenUnit) }),
        ],
        ...(sameUnit ? [] : [[t('core.system.heights'), describeUnit(vertical)] as const]),
        [t('core.system.name'), getName(t, name, epsg)],
        ...(verticalName === null ? [] : [[t('core.system.verticalName'), verticalName] as const]),
        ...(origin === null ? [] : [[t('core.system.origin'), origin] as const]),
        ...(projectedTo === null ? [] : [[t('core.system.projectedTo'), projectedTo] as const]),
      ];
    },
    findWarning: ({ horizontal, vertical }) => {
      if (horizontal.basis === 'ASSUMED') return t('core.system.assumed');
      if (vertical.basis === 'ASSUMED' && horizontal.metres !== 1)
        return t('core.system.assumedHeights', { unit: formatUnit(vertical) });
      return undefined;
    },
  };
}

function getName(t: ReturnType<typeof useText>, name: string | null, epsg: number | null): string {
  if (name === null) return epsg === null ? t('core.system.noName') : `EPSG:${epsg}`;
  return epsg === null || name.includes(String(epsg)) ? name : t('core.system.nameValue', { name, code: String(epsg) });
}
