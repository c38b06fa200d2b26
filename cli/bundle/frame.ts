import path from 'node:path';

/** Core's entry points, to which the generated entries pass the product. Absolute paths. */
export interface Frame {
  /** Exports `start(product, plugins)`: the app behind the sign-in. */
  readonly app: string;
  /** Exports `startSignIn(product)`: the login page, a separate entry. */
  readonly signIn: string;
  /** Exports `renderSignIn(product)`: the pages' content before any script is loaded. Run at build time. */
  readonly prerender: string;
  /**
   * Exports `enabledPlugin`; `startServer`, `migrateServer`, `backupServer`, `restoreServer`, `dropServer` and
   * `seedServer`, which take the product's content; and `runProgram`, which runs a product without the project.
   */
  readonly server: string;
  /** The program that compares a product with its proof: `server/verify.mjs` in the product. */
  readonly verifier: string;
  /** The base styles of every page. */
  readonly baseCss: string;
  /** The service worker. */
  readonly serviceWorker: string;
}

/** The product's default frame. */
export function coreEntryPoints(root: string): Frame {
  const core = (...parts: readonly string[]) => path.join(root, 'core', ...parts);
  return {
    app: core('web', 'app', 'start.tsx'),
    signIn: core('web', 'sign-in', 'start.tsx'),
    prerender: core('web', 'sign-in', 'prerender.tsx'),
    server: core('server', 'index.ts'),
    verifier: core('server', 'product', 'verify-main.ts'),
    baseCss: core('web', 'ui', 'base.css'),
    serviceWorker: core('web', 'worker', 'service-worker.ts'),
  };
}
