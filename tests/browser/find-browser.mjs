import { existsSync } from 'node:fs';

/** The headless shell needs three quarters of Chromium's CPU time for the same pages. */
const headlessShell = '/usr/bin/chromium-headless-shell';

/** Whether a browser was chosen or the headless shell is installed. */
export const hasChosenBrowser = () => process.env.CHROME_PATH !== undefined || existsSync(headlessShell);

/** The path of Chromium or Chrome, or undefined. */
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
