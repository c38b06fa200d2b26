const workbookEnding = /\.xlsx$/i;
/** Includes the number that a browser adds to the name of a second download. */
const errorSuffix = /(?:_ERROR(?: ?\(\d+\))?)+$/i;

/** The name of a file without its ending and without the suffix of workbooks with errors. */
const toBaseName = (name: string): string => name.replace(/\.[^.]*$/, '').replace(errorSuffix, '');

/** The name of a workbook with the errors of a file. */
export const toErrorName = (name: string): string => `${toBaseName(name)}_ERROR.xlsx`;

/**
 * Whether a new file of an import takes the place of a former one: it has the same name, or one is the workbook with
 * the errors of the other.
 */
export function replacesFile(name: string, formerName: string): boolean {
  if (name === formerName) return true;
  if (!workbookEnding.test(name) || !workbookEnding.test(formerName)) return false;
  const isErrorCopy = [name, formerName].some((fileName) => errorSuffix.test(fileName.replace(workbookEnding, '')));
  return isErrorCopy && toBaseName(name) === toBaseName(formerName);
}
