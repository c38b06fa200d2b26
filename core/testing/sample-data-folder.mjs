import path from 'node:path';
import process from 'node:process';

/** The folder of the sample data (docs/reference/sample-data.md). A relative path starts at the project's folder. */
export function sampleDataFolder(root, environment = process.env) {
  return path.resolve(root, environment.WALKDOWN_SAMPLE_DATA || '../shared/data');
}
