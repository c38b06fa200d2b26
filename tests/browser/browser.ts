import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright';
import { findBrowser } from './find-browser.mjs';
import { hasMesa, mesaVendorFile } from './mesa.mjs';

/** The machine's own Chromium or Chrome. */
export const browserPath = findBrowser() ?? '/usr/bin/chromium';

/** Why what needs a browser is skipped; undefined where there is one. */
export const noBrowser = existsSync(browserPath) ? undefined : 'there is no Chromium here: set CHROME_PATH';

/** The title of tests that need a browser; says it where they are skipped. */
export const inBrowser = (title: string): string => (noBrowser ? `${title} (${noBrowser})` : title);

// Debian's Chromium rasters pages on the graphics card, which costs more where there is none.
const quiet = ['--no-sandbox', '--disable-background-networking', '--disable-gpu-rasterization'];

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath, args: quiet });
}

/**
 * WebGL works, drawn in software: by Mesa, which takes a third of the processor time for points, else by what Chromium
 * brings itself.
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
