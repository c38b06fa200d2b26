import { existsSync } from 'node:fs';

/** Draws the same pages as Chromium in three quarters of the processor time. */
const headlessShell = '/usr/bin/chromium-headless-shell';

/** Whether another browser was chosen, or the one that takes least processor time is there. */
export const hasChosenBrowser = () => process.env.CHROME_PATH !== undefined || existsSync(headlessShell);

/** Where Chromium or Chrome is, or undefined. */
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
