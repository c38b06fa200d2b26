/**
 * Names of columns in Danish, Dutch, German, Norwegian, Spanish and Swedish. They are recognised in imported sheets and
 * in pose files. English and French names and abbreviations are in the definitions of each sheet and in pose-table.ts.
 */
export const translatedColumnNames = {
  east: ['Ost', 'Öst', 'Øst', 'Oost', 'Este'],
  north: ['Noord', 'Norte'],
  height: ['Høyde', 'Højde', 'Höjd', 'Höhe', 'Hoogte', 'Altura'],
  heading: ['Retning', 'Riktning', 'Richtung', 'Richting'],
  picture: ['Bilde', 'Bild', 'Billede', 'Beeld'],
  time: ['Tid', 'Zeit', 'Tijd'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
