import { existsSync } from 'node:fs';

const libraries = ['libEGL.so.1', 'libEGL_mesa.so.0', 'dri/swrast_dri.so'];

/** The vendor file by which libEGL prefers Mesa to the driver of a GPU. */
export const mesaVendorFile = '/usr/share/glvnd/egl_vendor.d/50_mesa.json';

/** Whether this system has Debian's Mesa, which renders WebGL in software faster than Chromium does. */
export const hasMesa =
  existsSync(mesaVendorFile) &&
  ['x86_64', 'aarch64'].some((machine) =>
    libraries.every((file) => existsSync(`/usr/lib/${machine}-linux-gnu/${file}`)),
  );
