import { writeFileSync } from 'node:fs';
import process from 'node:process';

/** The environment variable with the path of the file that `UnhandledErrorsReporter` writes. */
export const unhandledErrorsVariable = 'UNHANDLED_ERRORS_FILE';

/**
 * Vitest reporter. Writes errors that no test caught as an array of `{ message, file }`, because Vitest's JSON report
 * does not contain them.
 */
export default class UnhandledErrorsReporter {
  onTestRunEnd(_modules, errors) {
    const report = errors.map(({ name, message, stack, VITEST_TEST_PATH: file, VITEST_TEST_NAME: test }) => ({
      message: `${test ? `During "${test}":\n` : ''}${stack || `${name}: ${message}`}`,
      file,
    }));
    writeFileSync(process.env[unhandledErrorsVariable], JSON.stringify(report));
  }
}
