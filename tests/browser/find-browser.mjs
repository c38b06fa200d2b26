import { existsSync } from 'node:fs';

/** The headless shell needs three quarters of Chromium's CPU time for the same pages. */
const headlessShell = '/usr/bin/chromium-headless-shell';

/** Whether `CHROME_PATH` selects a browser or the headless shell is installed. */
export const hasChosenBrowser = () => process.env.CHROME_PATH !== undefined || existsSync(headlessShell);

/** Returns the path of Chromium or Chrome. Undefined if there is none. */
export function findBrowser() {
  const candidates = [
    process.env.CHROME_PATH,
    headlessShell,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ];
  return candidates.find((candidate) => candidate !== undefined && existsSync(candidate));
}
