/** ISA-5.1 letters and usual letters of equipment. */
const tagLetters = 'PT TT FT LT PSV XV HV PCV LCV ESDV P V E K TG PG'.split(' ');
const equipmentKinds = ['Isolation valve', 'Pressure transmitter', 'Relief valve', 'Level gauge', 'Check valve'];
const positions = ['upstream', 'downstream', 'at the inlet', 'at the outlet', 'on the bypass'];
const places = ['separator', 'glycol contactor', 'export compressor', 'seawater lift pump', 'flare knock-out drum'];

const pick = (values: readonly string[], index: number): string => values[Math.floor(index) % values.length] ?? '';

/** Formats the number of the tag with this index; every tenth is a line. Unique within a site. */
export function formatTagNumber(index: number): string {
  const serial = 1000 + Math.floor(index / tagLetters.length);
  const letter = pick(tagLetters, index);
  return index % 10 === 9
    ? `${2 + (index % 11)}"-${letter}-1${serial}-A1B`
    : `${letter}-${serial}${pick(['A', 'B', 'C', ''], index / 3)}`;
}

/** Describes the tag with this index. Many tags have equal words. */
export function formatDescription(index: number): string {
  return `${pick(equipmentKinds, index)} ${pick(positions, index / equipmentKinds.length)} of ${pick(places, index / 7)} ${index % 90}`;
}
