import path from 'node:path';

/** Core's entry points, to which the generated entries pass the product. Absolute paths. */
export interface CoreEntryPoints {
  /** Exports `start(product, plugins)`, which starts the app after sign-in. */
  readonly app: string;
  /** Exports `startSignIn(product)`, which starts the sign-in page. */
  readonly signIn: string;
  /** Exports `renderSignIn(product)`, which renders the sign-in page at build time. */
  readonly prerender: string;
  /**
   * Exports `enabledPlugin`, the commands `startServer`, `migrateServer`, `backupServer`, `restoreServer`,
   * `checkServer`, `dropServer`, `resetSecondFactorServer` and `seedServer`, and `runProgram`, which runs a product
   * without the project.
   */
  readonly server: string;
  /** The program that compares a product with its proof: `server/verify.mjs` in the product. */
  readonly verifier: string;
  /** The base styles of every page. */
  readonly baseCss: string;
  /** The service worker. */
  readonly serviceWorker: string;
}

/** The entry points in the core of this project. */
export function coreEntryPoints(root: string): CoreEntryPoints {
  const toCorePath = (...parts: readonly string[]) => path.join(root, 'core', ...parts);
  return {
    app: toCorePath('web', 'app', 'start.tsx'),
    signIn: toCorePath('web', 'sign-in', 'start.tsx'),
    prerender: toCorePath('web', 'sign-in', 'prerender.tsx'),
    server: toCorePath('server', 'index.ts'),
    verifier: toCorePath('server', 'product', 'verify-main.ts'),
    baseCss: toCorePath('web', 'ui', 'base.css'),
    serviceWorker: toCorePath('web', 'worker', 'service-worker.ts'),
  };
}
