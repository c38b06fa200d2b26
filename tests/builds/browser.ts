import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright';

const executable = process.env['CHROME_PATH'] ?? '/usr/bin/chromium';

/** Said in the title of what is skipped where no browser is installed. */
export const noBrowser = existsSync(executable) ? undefined : 'there is no Chromium here: set CHROME_PATH';

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: executable, args: ['--no-sandbox', '--disable-background-networking'] });
}
