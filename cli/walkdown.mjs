#!/usr/bin/env node
/**
 * The executable of Walkdown. Needs only Node: it installs missing packages, bundles `cli/main.ts` after changes (Node
 * 20 runs no TypeScript) and runs it. Its messages go to stderr, so that stdout contains only the command's output.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installPackages } from './install-packages.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const cacheFolder = path.join(root, '.generated', 'cli');
/** Number of bundles to keep. Running processes may still load chunks from old bundles. */
const maxBundles = 4;

const print = (text) => process.stderr.write(`${text}\n`);
const readSource = (file) => readFileSync(path.join(root, file));
const sha256 = (data) => createHash('sha256').update(data).digest('hex');

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  // Must be the same as `engines` in package.json.
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return;
  print(
    `Walkdown needs Node 24, 22 (22.12 or newer) or 20 (20.19 or newer); this is Node ${process.versions.node}. ` +
      'Install Node 24 from https://nodejs.org and try again.',
  );
  process.exit(2);
}

function install() {
  const problem = installPackages(root, print);
  if (problem === undefined) return;
  print(problem);
  process.exit(4);
}

/** Bundles the CLI if one of its inputs changed. Returns the path of the entry. */
async function ensureBundle() {
  const pointer = path.join(cacheFolder, 'current.json');
  const toolchain = sha256(
    Buffer.concat([
      readSource('cli/walkdown.mjs'),
      readSource('package.json'),
      readSource('node_modules/esbuild/package.json'),
    ]),
  );
  if (existsSync(pointer)) {
    const current = JSON.parse(readFileSync(pointer, 'utf8'));
    const entry = path.join(cacheFolder, current.folder, 'main.mjs');
    const isUnchanged = ([file, hash]) => existsSync(path.join(root, file)) && sha256(readSource(file)) === hash;
    if (current.toolchain === toolchain && existsSync(entry) && Object.entries(current.inputs).every(isUnchanged))
      return entry;
  }
  const esbuild = await import('esbuild');
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints: { main: 'cli/main.ts' },
    outdir: '.generated/cli/bundle',
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    sourcemap: 'inline',
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const inputs = Object.fromEntries(
    Object.keys(result.metafile.inputs)
      .sort()
      .map((file) => [file, sha256(readSource(file))]),
  );
  const folder = sha256(JSON.stringify([toolchain, inputs])).slice(0, 16);
  const target = path.join(cacheFolder, folder);
  if (!existsSync(path.join(target, 'main.mjs'))) {
    const temporary = path.join(cacheFolder, `.${folder}-${randomBytes(4).toString('hex')}`);
    for (const file of result.outputFiles) {
      const outputFile = path.join(temporary, path.relative(path.join(cacheFolder, 'bundle'), file.path));
      mkdirSync(path.dirname(outputFile), { recursive: true });
      writeFileSync(outputFile, file.contents);
    }
    moveBundle(temporary, target);
  }
  const draft = `${pointer}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, JSON.stringify({ folder, toolchain, inputs }));
  renameSync(draft, pointer);
  removeOldBundles(folder);
  return path.join(target, 'main.mjs');
}

/** Renames the finished bundle to its final name. If another process was faster, keeps the bundle of that process. */
function moveBundle(temporary, target) {
  try {
    renameSync(temporary, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
    if (!existsSync(path.join(target, 'main.mjs'))) {
      removeBundle(target);
      return moveBundle(temporary, target);
    }
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Renames the bundle before deleting its files, so that a bundle with its final name is always complete. */
function removeBundle(folder) {
  const removedFolder = path.join(cacheFolder, `.removed-${randomBytes(4).toString('hex')}`);
  try {
    renameSync(folder, removedFolder);
  } catch (error) {
    // Another process is removing it too.
    if (error.code !== 'ENOENT') throw error;
  }
  rmSync(removedFolder, { recursive: true, force: true });
}

function removeOldBundles(newest) {
  const getTime = (name) => statSync(path.join(cacheFolder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const folders = readdirSync(cacheFolder).filter((name) => /^[0-9a-f]{16}$/.test(name) && name !== newest);
  for (const name of folders.sort((a, b) => getTime(b) - getTime(a)).slice(maxBundles - 1))
    removeBundle(path.join(cacheFolder, name));
}

refuseOldNode();
install();
let entry;
try {
  entry = await ensureBundle();
} catch (error) {
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC'].includes(error.code)) {
    print(
      `Nothing can be written into ${path.join(root, '.generated')} (${error.code}), where Walkdown stores its ` +
        'bundled command line. Give this account the right to write there, or run a command once as the account that ' +
        'owns the project.',
    );
    process.exit(2);
  }
  const messages = error.errors?.map(
    ({ text, location }) => `  ${location ? `${location.file}:${location.line}:${location.column}: ` : ''}${text}`,
  );
  print(`Walkdown's own command line could not be bundled.\n${messages?.join('\n') ?? error.stack}`);
  process.exit(4);
}
process.setSourceMapsEnabled(true);
const { main } = await import(pathToFileURL(entry).href);
await main(process.argv);
