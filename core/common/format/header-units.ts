import { lengthUnits, type LengthUnit } from './lengths.ts';
import type { SiteUnit } from '../site-record.ts';

/**
 * The spellings of each unit, without separators. The key is the unit as messages show it. Unknown words in brackets,
 * such as `(site datum)`, are no unit.
 */
const unitSpellings: Readonly<Record<string, readonly string[]>> = {
  m: ['m', 'metre', 'metres', 'meter', 'meters', 'mètre', 'mètres'],
  mm: ['mm', 'millimetre', 'millimetres', 'millimeter', 'millimeters', 'millimètre', 'millimètres'],
  cm: ['cm', 'centimetre', 'centimetres', 'centimeter', 'centimeters', 'centimètre', 'centimètres'],
  km: ['km', 'kilometre', 'kilometres', 'kilometer', 'kilometers', 'kilomètre', 'kilomètres'],
  ft: [
    ...['ft', 'feet', 'foot', 'pi', 'pied', 'pieds', "'", '’', '′'],
    ...['international ft', 'international feet', 'international foot', 'intl ft', 'ft int', 'ft intl'],
    ...['pi international', 'pied international', 'pieds internationaux'],
  ],
  ftUS: [
    ...['ftus', 'usft', 'us ft', 'us feet', 'us foot', 'ft us', 'feet us', 'u s ft', 'u s feet', 'sft'],
    ...['survey ft', 'survey feet', 'survey foot', 'us survey ft', 'us survey feet', 'us survey foot'],
    ...['u s survey ft', 'u s survey feet', 'u s survey foot', 'ft us survey'],
    ...['pi us', 'pied us', 'pieds us', 'pieds topographiques us', 'pieds géodésiques américains'],
  ],
  in: ['in', 'inch', 'inches', 'po', 'pouce', 'pouces', '"', '”', '″'],
  yd: ['yd', 'yds', 'yards'],
  '°': ['°', 'deg', 'degree', 'degrees', 'degré', 'degrés'],
  rad: ['rad', 'radian', 'radians'],
  gon: ['gon', 'grad', 'grads'],
  $: ['$', 'usd', 'dollar', 'dollars'],
  '€': ['€', 'eur', 'euro', 'euros'],
  days: ['day', 'days', 'jour', 'jours'],
  h: ['hour', 'hours', 'heure', 'heures'],
};
const unitBySpelling = new Map(
  Object.entries(unitSpellings).flatMap(([unit, texts]) => texts.map((text) => [text, unit] as const)),
);

/**
 * Finds the unit of a spelling in lower case. Undefined if it is none. In the United States, `ft` can mean the survey
 * foot: if `siteUnit` is that foot, a foot without further words is, too.
 */
export function parseUnit(spelling: string, siteUnit?: SiteUnit): string | undefined {
  const unit = unitBySpelling.get(spelling);
  return unit === 'ft' && siteUnit === 'ftUS' && !spelling.includes('int') ? siteUnit : unit;
}

const maxWords = 4;

const splitWords = (text: string): readonly string[] => text.split(/[\s_,./-]+/).filter((word) => word !== '');

/**
 * A header and the unit at its end, in brackets or as its last words: `Elev (ft)`, `Elev [ft]`, `ELEV_US_FT`. See
 * `parseUnit` for `siteUnit`.
 */
export function splitHeaderUnit(
  header: string,
  siteUnit?: SiteUnit,
): { readonly name: string; readonly unit: string } | undefined {
  const text = header.normalize('NFC').replaceAll('*', '').replaceAll(/\s+/g, ' ').trim().toLowerCase();
  const [, name = '', bracketed] = /^(.*?)[([]([^()[\]]+)[)\]]$/.exec(text) ?? [];
  if (bracketed !== undefined) {
    const unit = parseUnit(splitWords(bracketed).join(' '), siteUnit);
    return unit === undefined ? undefined : { name: name.trim(), unit };
  }
  const words = splitWords(text);
  // The longest spelling first: `US ft` is not the international foot.
  for (let count = Math.min(maxWords, words.length - 1); count > 0; count--) {
    const unit = parseUnit(words.slice(-count).join(' '), siteUnit);
    if (unit !== undefined) return { name: words.slice(0, -count).join(' '), unit };
  }
  return undefined;
}

export const isLengthUnit = (unit: string | undefined): unit is LengthUnit =>
  unit !== undefined && (lengthUnits as readonly string[]).includes(unit);
