import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright';
import { findBrowser } from './find-browser.mjs';
import { hasMesa, mesaVendorFile } from './mesa.mjs';

/** Path of the installed Chromium or Chrome. */
export const browserPath = findBrowser() ?? '/usr/bin/chromium';

/** The reason why browser tests are skipped. Undefined if a browser was found. */
export const noBrowser = existsSync(browserPath) ? undefined : 'no Chromium was found, set CHROME_PATH';

/** Formats the title of browser tests. It contains the reason if they are skipped. */
export const formatBrowserTestTitle = (title: string): string => (noBrowser ? `${title} (${noBrowser})` : title);

// Debian's Chromium rasterises pages on the GPU, which is slower on machines without a GPU.
const commonArgs = ['--no-sandbox', '--disable-background-networking', '--disable-gpu-rasterization'];

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath, args: commonArgs });
}

/**
 * Options of a browser that renders WebGL in software: by Mesa, which needs a third of the CPU time for points, or else
 * by Chromium's own renderer.
 */
export const pictureLaunchOptions = {
  executablePath: browserPath,
  ignoreDefaultArgs: ['--disable-gpu'],
  args: [
    ...commonArgs,
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
  return chromium.launch({ ...pictureLaunchOptions, executablePath });
}
