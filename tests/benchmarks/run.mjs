#!/usr/bin/env node
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { setUp } from '../runner/setup.mjs';
import { bundleModule, runBench } from './run-bench.mjs';

/**
 * `npm run bench` runs the files `*.bench.ts` of this folder one after the other, each in its own process. `--only
 * <name>` selects a file (repeatable), `--quick` repeats less, `--json` prints only JSON, `--from <folder>` reads
 * another folder. Exits with 1 if a bar is missed or a benchmark fails.
 */
const benchFolder = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(path.dirname(benchFolder));
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    from: { type: 'string', default: benchFolder },
  },
});
const log = (text) => process.stderr.write(`${text}\n`);
const describeLoad = () => `load ${os.loadavg()[0].toFixed(1)} on ${os.availableParallelism()} cores`;

const { browser } = setUp(root, log);
const benchNames = readdirSync(options.from)
  .flatMap((name) => (name.endsWith('.bench.ts') ? [name.slice(0, -'.bench.ts'.length)] : []))
  .sort();
const unknownNames = (options.only ?? []).filter((name) => !benchNames.includes(name));
if (unknownNames.length > 0) {
  log(`There is no benchmark ${unknownNames.join(', ')}. Available benchmarks: ${benchNames.join(', ')}.`);
  process.exit(2);
}

const folder = path.join(root, '.generated', 'benchmarks', String(process.pid));
mkdirSync(folder, { recursive: true });
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
const reportFile = path.join(folder, 'report.mjs');
await bundleModule(root, `export * from ${JSON.stringify(path.join(benchFolder, 'report.ts'))};`, reportFile);
const { formatCause, describeResults, describeRuns, listReasonsToFail, toJson } = await import(
  pathToFileURL(reportFile).href
);

const runs = [];
for (const name of options.only ?? benchNames) {
  log(`${name} (${describeLoad()})`);
  const start = performance.now();
  const { results, error } = await runBench({
    root,
    source: path.resolve(options.from, `${name}.bench.ts`),
    program: path.join(folder, `${name}.mjs`),
    settings: { root, shared: folder, chromium: browser, quick: options.quick },
  });
  const seconds = (performance.now() - start) / 1000;
  runs.push({ bench: name, seconds, results, failure: error && formatCause(error) });
  if (results.length > 0) log(describeResults(results).replaceAll(/^/gm, '  '));
  if (error) log(error.stack);
  log(`  took ${seconds.toFixed(0)} s (${describeLoad()})`);
}

process.stdout.write(`${options.json ? JSON.stringify(toJson(runs), null, 2) : describeRuns(runs)}\n`);
const reasons = listReasonsToFail(runs);
for (const reason of reasons) log(`FAIL ${reason}`);
process.exit(reasons.length === 0 ? 0 : 1);
