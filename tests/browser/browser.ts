import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright';
import { findBrowser } from './find-browser.mjs';
import { hasMesa, mesaVendorFile } from './mesa.mjs';

/** The installed Chromium or Chrome. */
export const browserPath = findBrowser() ?? '/usr/bin/chromium';

/** Why browser tests are skipped; undefined if a browser was found. */
export const noBrowser = existsSync(browserPath) ? undefined : 'there is no Chromium here: set CHROME_PATH';

/** The title of browser tests; it states why they are skipped. */
export const inBrowser = (title: string): string => (noBrowser ? `${title} (${noBrowser})` : title);

// Debian's Chromium rasterises pages on the GPU, which is slower without one.
const quiet = ['--no-sandbox', '--disable-background-networking', '--disable-gpu-rasterization'];

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath, args: quiet });
}

/**
 * Renders WebGL in software: by Mesa, which needs a third of the CPU time for points, or else by Chromium's own
 * renderer.
 */
export const launchForPictures = {
  executablePath: browserPath,
  ignoreDefaultArgs: ['--disable-gpu'],
  args: [
    ...quiet,
    '--disable-gpu-sandbox',
    '--use-gl=angle',
    ...(hasMesa ? ['--use-angle=gl-egl'] : ['--use-angle=swiftshader', '--enable-unsafe-swiftshader']),
    '--ignore-gpu-blocklist',
  ],
  env: {
    ...process.env,
    LIBGL_ALWAYS_SOFTWARE: '1',
    ...(hasMesa ? { __EGL_VENDOR_LIBRARY_FILENAMES: mesaVendorFile } : {}),
  } as Record<string, string>,
};

export function launchBrowserForPictures(executablePath = browserPath): Promise<Browser> {
  return chromium.launch({ ...launchForPictures, executablePath });
}
