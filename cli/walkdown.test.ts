import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const execute = promisify(execFile);
const project = path.resolve(import.meta.dirname, '..');
let root: string;

/** Writes a minimal project with the executable and a command line that prints its arguments. */
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'walkdown-bin-'));
  await mkdir(path.join(root, 'cli'));
  for (const name of ['walkdown.mjs', 'install-packages.mjs'])
    await cp(path.join(project, 'cli', name), path.join(root, 'cli', name));
  await writeFile(path.join(root, 'package.json'), JSON.stringify({ name: 'walkdown', type: 'module' }));
  await writeFile(
    path.join(root, 'package-lock.json'),
    JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': {},
        'node_modules/esbuild': { version: '0.28.2' },
        'node_modules/absent': { version: '1.0.0', optional: true },
      },
    }),
  );
  await writeFile(
    path.join(root, 'cli', 'main.ts'),
    "import { text } from './text.ts';\nexport async function main(args: readonly string[]): Promise<void> {\n  " +
      "console.log(text, args.slice(2).join(' '));\n}\n",
  );
  await writeFile(path.join(root, 'cli', 'text.ts'), "export const text: string = 'first';\n");
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Creates the packages and the record of the installation as npm does. */
async function install(version = '0.28.2'): Promise<void> {
  await mkdir(path.join(root, 'node_modules'), { recursive: true });
  await symlink(path.join(project, 'node_modules', 'esbuild'), path.join(root, 'node_modules', 'esbuild'));
  await writeFile(
    path.join(root, 'node_modules', '.package-lock.json'),
    JSON.stringify({ packages: { 'node_modules/esbuild': { version } } }),
  );
}

/** Writes a replacement of npm that records its arguments and exits with `exitCode`. */
async function createFakeNpm(exitCode = 0): Promise<Record<string, string>> {
  const file = path.join(root, 'npm.js');
  await writeFile(
    file,
    `import { writeFileSync, mkdirSync, symlinkSync } from 'node:fs';\nwriteFileSync('npm-arguments', ` +
      `process.argv.slice(2).join(' '));\nif (${exitCode} === 0) { mkdirSync('node_modules', { recursive: true ` +
      '}); try { ' +
      `symlinkSync(${JSON.stringify(path.join(project, 'node_modules', 'esbuild'))}, 'node_modules/esbuild'); } ` +
      'catch {} ' +
      `}\nprocess.exit(${exitCode});\n`,
  );
  return { npm_execpath: file };
}

const runExecutable = (environment: Record<string, string> = {}) =>
  execute(process.execPath, [path.join(root, 'cli', 'walkdown.mjs'), 'some', '--words'], {
    env: { ...process.env, ...environment },
  });
const listBundles = async () =>
  (await readdir(path.join(root, '.generated', 'cli'))).filter((name) => /^[0-9a-f]{16}$/.test(name));

describe('the executable', () => {
  it('installs missing packages and runs the command', async () => {
    const { stdout, stderr } = await runExecutable(await createFakeNpm());
    expect(stderr).toContain('The packages are not installed yet');
    expect(await readFile(path.join(root, 'npm-arguments'), 'utf8')).toMatch(/^install --no-save /);
    expect(stdout).toBe('first some --words\n');
  });

  it('installs again if the lock file names other versions', async () => {
    await install('0.28.1');
    await utimes(path.join(root, 'package-lock.json'), new Date(), new Date(Date.now() + 5_000));
    const { stderr } = await runExecutable(await createFakeNpm());
    expect(stderr).toContain('package-lock.json changed since');
  });

  it('installs nothing if the lock file is newer but names the same versions', async () => {
    await install();
    await utimes(path.join(root, 'package-lock.json'), new Date(), new Date(Date.now() + 5_000));
    const { stdout, stderr } = await runExecutable(await createFakeNpm());
    expect([stdout, stderr]).toEqual(['first some --words\n', '']);
  });

  /** Runs the executable as if Node had this version. */
  const runOnNode = (version: string) => {
    const versionOverride = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
    const args = ['--import', `data:text/javascript,${versionOverride}`, path.join(root, 'cli', 'walkdown.mjs')];
    return spawnSync(process.execPath, args, { encoding: 'utf8' });
  };

  it.each(['18.20.4', '20.18.3', '21.7.3', '22.11.0'])('refuses Node %s with a message', async (version) => {
    await install();
    const { status, stderr } = runOnNode(version);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Walkdown needs Node 24, 22 .* or 20 .*Install Node 24 from/);
    expect(stderr).toContain(`this is Node ${version}.`);
  });

  it.each(['20.19.0', '22.12.0', '24.0.0'])('runs on Node %s without a message', async (version) => {
    await install();
    const { status, stderr } = runOnNode(version);
    expect([status, stderr]).toEqual([0, '']);
  });

  it('accepts the versions of Node in package.json', async () => {
    const { engines } = JSON.parse(await readFile(path.join(project, 'package.json'), 'utf8')) as { engines: unknown };
    expect(engines).toEqual({ node: '^20.19.0 || >=22.12.0' });
  });

  it('ends with a message if the packages cannot be installed', async () => {
    const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'cli', 'walkdown.mjs')], {
      env: { ...process.env, ...(await createFakeNpm(1)) },
      encoding: 'utf8',
    });
    expect(status).toBe(4);
    expect(stderr).toMatch(/could not be installed.*registry can be reached/);
  });

  it('bundles the command line once, and again after a file changed', async () => {
    await install();
    await runExecutable();
    expect((await runExecutable()).stdout).toBe('first some --words\n');
    expect(await listBundles()).toHaveLength(1);
    await writeFile(path.join(root, 'cli', 'text.ts'), "export const text: string = 'second';\n");
    expect((await runExecutable()).stdout).toBe('second some --words\n');
    expect(await listBundles()).toHaveLength(2);
  });

  it('starts several processes at once without a bundle', async () => {
    await install();
    const outputs = await Promise.all(Array.from({ length: 6 }, () => runExecutable()));
    expect(outputs.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 6 }, () => 'first some --words\n'));
  });

  it('reports a folder that cannot be written', async () => {
    await install();
    await writeFile(path.join(root, '.generated'), 'no folder');
    const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'cli', 'walkdown.mjs')], {
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Nothing can be written into .*\.generated \(E[A-Z]+\).*Give this account the right/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('names file and line of a bundling error', async () => {
    await install();
    await writeFile(path.join(root, 'cli', 'text.ts'), 'export const text = ;\n');
    const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'cli', 'walkdown.mjs')], {
      encoding: 'utf8',
    });
    expect(status).toBe(4);
    expect(stderr).toMatch(/cli\/text\.ts:1:\d+/);
  });
});
