import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The files of a customer with the demo plant: import workbooks, and the original files of an exported site. */
export interface CustomerFiles {
  workbook(kind: string): CustomerFile;
  file(name: string): CustomerFile;
  json<T>(name: string): T;
  list(folder: string): readonly string[];
}

export interface CustomerFile {
  readonly name: string;
  readonly path: string;
}

/** `workbooks` is written by `walkdown demo --workbooks`, `site` by `walkdown export`. */
export function openCustomerFiles({
  workbooks,
  site,
}: {
  readonly workbooks: string;
  readonly site: string;
}): CustomerFiles {
  const names: Readonly<Record<string, string>> = {
    'masters.masters': 'STATIC_MASTER_IMPORT_FILE.xlsx',
    'locations.locations': 'LOCATION_IMPORT_FILE.xlsx',
    'tour.tags': 'HB_TOUR_IMPORT_FILE.xlsx',
    'model-3d.mapping': 'HB_3D_MAPPING_IMPORT_FILE.xlsx',
    'users.users': 'USER_IMPORT_FILE.xlsx',
    'permits.permits': 'HB_PERMIT_IMPORT_FILE.xlsx',
    'permits.hac': 'HB_HAC_IMPORT_FILE.xlsx',
    'permits.h2s': 'HB_H2S_IMPORT_FILE.xlsx',
    'expense.expense': 'EXPENSE_IMPORT_FILE.xlsx',
    'media.contacts': 'HB_CONTACT_IMPORT_FILE.xlsx',
  };
  const toFile = (folder: string, name: string): CustomerFile => ({
    name: path.basename(name),
    path: path.join(folder, name),
  });
  return {
    workbook: (kind) => {
      const name = names[kind];
      if (name === undefined) throw new Error(`No workbook of ${kind} is known.`);
      return toFile(workbooks, name);
    },
    file: (name) => toFile(site, name),
    json: <T>(name: string) => JSON.parse(readFileSync(path.join(site, name), 'utf8')) as T,
    list: (folder) => readdirSync(path.join(site, folder)),
  };
}
