/**
 * Names of columns in Danish, Dutch, German, Norwegian, Spanish and Swedish files, for imports and files of poses.
 * Those in English and French, and abbreviations, are listed with the columns.
 */
export const foreignColumnNames = {
  east: ['Ost', 'Öst', 'Øst', 'Oost', 'Este'],
  north: ['Noord', 'Norte'],
  height: ['Høyde', 'Højde', 'Höjd', 'Höhe', 'Hoogte', 'Altura'],
  heading: ['Retning', 'Riktning', 'Richtung', 'Richting'],
  picture: ['Bilde', 'Bild', 'Billede', 'Beeld'],
  time: ['Tid', 'Zeit', 'Tijd'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
