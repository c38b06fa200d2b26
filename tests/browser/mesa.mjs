import { existsSync } from 'node:fs';

const libraries = ['libEGL.so.1', 'libEGL_mesa.so.0', 'dri/swrast_dri.so'];

/** Names Mesa to libEGL, which would take a graphics card's own driver first. */
export const mesaVendorFile = '/usr/share/glvnd/egl_vendor.d/50_mesa.json';

/** Whether Mesa can draw WebGL in software on this Debian, which takes Chromium's own renderer longer. */
export const hasMesa =
  existsSync(mesaVendorFile) &&
  ['x86_64', 'aarch64'].some((machine) =>
    libraries.every((file) => existsSync(`/usr/lib/${machine}-linux-gnu/${file}`)),
  );
