import type { ColumnLayout } from '../../../plugins/imports/server/workbooks/workbook-types.ts';
import { writeWorkbook } from '../../../plugins/imports/server/workbooks/write-workbook.ts';

const knownColumns: Readonly<Record<string, (index: number) => string | number | null>> = {
  'Permit Number': (index) => `PTW-${index}`,
  'Permit Name': (index) => `Job ${index}`,
  Description: (index) => `Replace the gasket of flange ${index}`,
  'Permit Type': () => 'hot_work_permit',
  'Valid From': () => '2126-01-01 06:00',
  'Valid To': () => '2126-01-02 06:00',
  'Location Code': () => 'site',
  'Map Code': () => 'site',
  Level: (index) => `L${index % 8}`,
  'X (%)': (index) => index % 100,
  'Y (%)': () => 50,
  'Elevation (m)': (index) => index % 40,
  'Work Radius (m)': () => 11,
  'System Code': (index) => `S${index % 30}`,
  'Tag Numbers': (index) => `V-${index % 500};P-${index % 50}`,
  'Work Order': (index) => `WO-${index}`,
};
/** Columns that other systems have in addition. They are stored with the row. */
const otherColumns = Array.from({ length: 13 }, (_, index) => `Note ${index}`);
/** Number of columns of the sheet, including the stage. */
export const permitColumnCount = Object.keys(knownColumns).length + otherColumns.length + 1;

const toLayout = (header: string): ColumnLayout => ({ header, required: false, note: '', kind: 'text' });

/** Writes a workbook with `rows` permits. `stage` is the id of their stage. */
export async function writePermitWorkbook(file: string, rows: number, stage: string): Promise<void> {
  const columns = [...Object.keys(knownColumns), 'Stage', ...otherColumns].map(toLayout);
  await writeWorkbook(file, { sheets: [{ name: 'Permits', columns }], readme: [], meta: {} }, async function* () {
    for (let index = 0; index < rows; index++)
      yield [
        ...Object.values(knownColumns).map((create) => create(index)),
        stage,
        ...otherColumns.map((_, noteNumber) => `note ${noteNumber} of ${index}`),
      ];
  });
}
