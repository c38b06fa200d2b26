#!/usr/bin/env node
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { setUp } from '../runner/setup.mjs';

/**
 * `npm run bench`: bundles each `*.bench.ts` beside this file and runs one after the other, so that none disturbs
 * another. `--only <name>` (may be repeated) takes those whose file has this name, `--quick` repeats little, `--json`
 * prints the results on stdout and nothing else.
 */
const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(path.dirname(here));
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
});
const say = (text) => process.stderr.write(`${text}\n`);
const load = () => `load ${os.loadavg()[0].toFixed(1)} on ${os.availableParallelism()} cores`;

const { browser } = setUp(root, say);
const known = readdirSync(here)
  .flatMap((name) => (name.endsWith('.bench.ts') ? [name.slice(0, -'.bench.ts'.length)] : []))
  .sort();
const unknown = (options.only ?? []).filter((name) => !known.includes(name));
if (unknown.length > 0) {
  say(`There is no benchmark ${unknown.join(', ')}. There are ${known.join(', ')}.`);
  process.exit(2);
}
const chosen = options.only ?? known;

const folder = path.join(root, '.generated', 'benchmarks', String(process.pid));
mkdirSync(folder, { recursive: true });
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
await bundle(folder);
const { describeResults, reasonsToFail } = await import(pathToFileURL(path.join(folder, 'report.mjs')).href);

const results = [];
const failures = [];
const context = { root, chromium: browser ?? '', count: (few, usual) => (options.quick ? few : usual), say };
for (const name of chosen) {
  say(`${name} (${load()})`);
  const began = performance.now();
  try {
    const { default: bench } = await import(pathToFileURL(path.join(folder, `${name}.bench.mjs`)).href);
    const measured = await bench(context);
    results.push(...measured);
    say(measured.length === 0 ? '  nothing to measure' : describeResults(measured).replaceAll(/^/gm, '  '));
  } catch (error) {
    failures.push({ bench: name, message: error.message.split('\n')[0] });
    say(error.stack);
  }
  say(`  took ${((performance.now() - began) / 1000).toFixed(0)} s (${load()})`);
}

if (options.json) process.stdout.write(`${JSON.stringify({ results }, null, 2)}\n`);
else if (results.length > 0) process.stdout.write(`${describeResults(results)}\n`);
const reasons = reasonsToFail(results, failures);
for (const reason of reasons) say(`FAIL ${reason}`);
process.exit(reasons.length === 0 ? 0 : 1);

/**
 * Node 20 runs no TypeScript. Own modules keep their place: what they find by `import.meta` lies beside their source.
 */
async function bundle(outdir) {
  const { build } = await import('esbuild');
  const keepPlace = {
    name: 'keep-place',
    setup(setup) {
      setup.onLoad({ filter: /\.tsx?$/ }, ({ path: file }) => {
        if (file.includes(`${path.sep}node_modules${path.sep}`)) return undefined;
        const source = readFileSync(file, 'utf8');
        if (!source.includes('import.meta.')) return undefined;
        const place =
          `const importMetaUrl = ${JSON.stringify(pathToFileURL(file).href)}, importMetaDirname = ` +
          `${JSON.stringify(path.dirname(file))};\n`;
        return { contents: place + source, loader: file.endsWith('x') ? 'tsx' : 'ts' };
      });
    },
  };
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries([
      ['report', path.join(here, 'report.ts')],
      ...chosen.map((name) => [`${name}.bench`, path.join(here, `${name}.bench.ts`)]),
    ]),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    define: { 'import.meta.url': 'importMetaUrl', 'import.meta.dirname': 'importMetaDirname' },
    tsconfigRaw: {
      compilerOptions: { experimentalDecorators: true, useDefineForClassFields: true, verbatimModuleSyntax: true },
    },
    plugins: [keepPlace],
    logLevel: 'error',
  });
}
