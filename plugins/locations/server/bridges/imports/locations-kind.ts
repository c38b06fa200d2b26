import english from '../../../contract/messages/en.json' with { type: 'json' };
import french from '../../../contract/messages/fr.json' with { type: 'json' };
import type { FileStore, LocationWriter } from '#core/server';
import type { ImportKind } from '#plugins/imports';
import type { LocationsTables } from '../../tables.ts';
import type { ImportedTables } from './imported-tables.ts';
import { hotspotsSheet, writeHotspots } from './hotspots-sheet.ts';
import { createLocationsSheet, writeLocations } from './locations-sheet.ts';
import { createPictureStorage, writePictures } from './picture-columns.ts';

/** Creates the kind of import for sites, units, levels and groups with the map hotspots of their images. */
export const createLocationsKind = (
  locationWriter: LocationWriter,
  files: Pick<FileStore, 'put'>,
): ImportKind<ImportedTables> => ({
  id: 'locations.locations',
  title: { en: 'Primary Location & Hotspots', fr: 'Emplacements et zones cliquables' },
  order: 20,
  scope: 'LOCATIONS',
  fileName: () => 'LOCATION_IMPORT_FILE.xlsx',
  files: [
    { title: { en: 'Workbook', fr: 'Classeur' }, kind: 'EXCEL', required: true },
    {
      title: { en: 'Icons and navigation images', fr: 'Icônes et images de navigation' },
      kind: 'IMAGE',
      required: false,
    },
  ],
  sheets: [createLocationsSheet(locationWriter), hotspotsSheet],
  readme: [
    {
      en: 'Sites, units, levels and groups, and the hotspots of their navigation images. A row with a known code changes that location, a row with a new code adds one. A sheet that is left out changes nothing.',
      fr: 'Sites, unités, niveaux et groupes, et les zones cliquables de leurs images de navigation. Une ligne dont le code existe modifie l’emplacement, une autre l’ajoute. Une feuille absente ne change rien.',
    },
    {
      en: 'Icons and navigation images are uploaded beside the workbook, or on the screen of sites. Background images are set on their own screen. A replacing import never removes a location to which something belongs.',
      fr: 'Les icônes et images de navigation sont envoyées avec le classeur, ou à l’écran des sites. Les images de fond se règlent sur leur propre écran. Un import qui remplace ne supprime jamais un emplacement auquel quelque chose appartient.',
    },
  ],
  messages: { en: english, fr: french },
  changes: locationWriter.contentChangesOf<LocationsTables>('locations'),
  storePicture: createPictureStorage(files),
  apply: async (context) => {
    await writeLocations(context, locationWriter);
    await writePictures(context);
    await writeHotspots(context);
  },
});
