import path from 'node:path';

/** Where core's own starts lie: what the generated entries hand the product to. Absolute paths. */
export interface Frame {
  /** Exports `start(product, plugins)`: the app behind the sign-in. */
  readonly app: string;
  /** Exports `startSignIn(product)`: the login page, an entry of its own. */
  readonly signIn: string;
  /** Exports `renderSignIn(product)`: what stands in the pages before any script is fetched. Run at build. */
  readonly prerender: string;
  /**
   * Exports `enabledPlugin`, and `startServer`, `migrateServer`, `backupServer`, `restoreServer`, `dropServer`,
   * `seedServer`, each of which takes the product's content, and `runProgram`, which runs a product by itself.
   */
  readonly server: string;
  /** The program that compares a product with its proof; it lies in the product as `server/verify.mjs`. */
  readonly verifier: string;
  /** What every page's styles start from. */
  readonly baseCss: string;
  /** The worker of the progressive web app. */
  readonly serviceWorker: string;
}

/** The product's own frame. */
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
