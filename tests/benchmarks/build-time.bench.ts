import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeEntries } from '../../cli/bundle/entries.ts';
import { createBuildContext } from '../../cli/bundle/build-context.ts';
import { browserTargets } from '../../cli/bundle/web-bundle.ts';
import { loadPlugins } from '../../cli/profile/load-plugins.ts';
import { resolveProfile } from '../../cli/profile/resolve-profile.ts';
import { atMost, type Bench } from './bench.ts';
import { fullProfile } from './support/built-product.ts';
import { runCommand } from './support/programs.ts';

/**
 * Compares all steps of `walkdown build` with Vite's plain build of the same two entries. Both run alternately in
 * processes of their own. The fastest run of each counts, because load of the machine only adds time.
 */
const bench: Bench = async ({ root, chooseCount }) => {
  await mkdir(path.join(root, '.generated'), { recursive: true });
  const folder = await mkdtemp(path.join(root, '.generated', 'bench-build-'));
  try {
    const resolvedProfile = await resolveProfile(root, fullProfile, await loadPlugins(root));
    const entries = await writeEntries(
      createBuildContext(root, resolvedProfile, undefined, path.join(folder, 'entries')),
    );
    const vite = path.join(folder, 'vite.mjs');
    await writeFile(
      vite,
      formatViteProgram({ root, out: path.join(folder, 'vite'), app: entries.app, signIn: entries.signIn }),
    );
    const productSeconds: number[] = [];
    const viteSeconds: number[] = [];
    for (let round = 0; round <= chooseCount(0, 5); round += 1) {
      const args = ['build', '--profile', fullProfile, '--out', path.join(folder, 'product')];
      productSeconds.push(
        await measureSeconds('the build of the product', [path.join(root, 'cli', 'walkdown.mjs'), ...args]),
      );
      viteSeconds.push(await measureSeconds('the build by Vite', [vite]));
    }
    const [fastestProduct, fastestVite] = [Math.min(...productSeconds), Math.min(...viteSeconds)];
    return [
      atMost(1.2, {
        name: `build of the profile ${fullProfile}, all steps, against Vite`,
        value: fastestProduct / fastestVite,
        unit: 'x',
        against: `${fastestProduct.toFixed(2)} s against ${fastestVite.toFixed(2)} s, the fastest of ${productSeconds.length}`,
      }),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
export default bench;

/**
 * Returns a program that builds with Vite's default settings. Only settings without which the product cannot be built
 * differ: entries, browser targets, TypeScript decorators, module workers, and WebAssembly imported by URL.
 */
function formatViteProgram({
  root,
  out,
  app,
  signIn,
}: Readonly<Record<'root' | 'out' | 'app' | 'signIn', string>>): string {
  const config = {
    root,
    configFile: false,
    logLevel: 'error',
    base: '/dashboard/',
    build: {
      outDir: out,
      emptyOutDir: true,
      target: browserTargets,
      rolldownOptions: { input: { app, 'sign-in': signIn } },
    },
    oxc: { decorator: { legacy: true } },
  };
  return `import { build } from 'vite';
const wasmAddress = {
  name: 'wasm-address',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (!source.endsWith('.wasm')) return null;
    const resolved = await this.resolve(source, importer, { skipSelf: true });
    return resolved && { ...resolved, id: resolved.id + '?url' };
  },
};
try {
  await build({
    ...${JSON.stringify(config)},
    plugins: [wasmAddress],
    worker: { format: 'es', plugins: () => [wasmAddress] },
  });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
`;
}

async function measureSeconds(description: string, args: readonly string[]): Promise<number> {
  const start = performance.now();
  await runCommand(process.execPath, args, { description, environment: { NODE_ENV: 'production' } });
  return (performance.now() - start) / 1000;
}
