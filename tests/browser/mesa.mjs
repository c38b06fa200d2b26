import { existsSync } from 'node:fs';

const needed = ['libEGL.so.1', 'libEGL_mesa.so.0', 'dri/swrast_dri.so'];

/** Whether Mesa can draw WebGL in software here, which takes Chromium's own renderer longer. */
export const hasMesa = ['x86_64', 'aarch64'].some((machine) =>
  needed.every((file) => existsSync(`/usr/lib/${machine}-linux-gnu/${file}`)),
);
