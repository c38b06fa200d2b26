import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const project = path.resolve(import.meta.dirname, '..', '..');
let projectCopy: string;

/** Copies the project without tests and pictures, and scaffolds a plugin in the copy. */
beforeAll(async () => {
  projectCopy = await mkdtemp(path.join(tmpdir(), 'walkdown-scaffold-'));
  const parts = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'vitest.config.ts',
    '.oxlintrc.json',
    'knip.json',
    'core',
    'plugins',
    'profiles',
    'cli',
  ];
  const isCopied = (source: string): boolean => !source.includes(path.join('cli', 'demo', 'rendered'));
  await Promise.all(
    parts.map((part) =>
      cp(path.join(project, part), path.join(projectCopy, part), { recursive: true, filter: isCopied }),
    ),
  );
  await symlink(path.join(project, 'node_modules'), path.join(projectCopy, 'node_modules'));
  // Shares the cache of minified and compressed files, whose keys are content hashes.
  const cacheFolder = path.join('.generated', 'step-results');
  await mkdir(path.join(project, cacheFolder), { recursive: true });
  await mkdir(path.join(projectCopy, '.generated'));
  await symlink(path.join(project, cacheFolder), path.join(projectCopy, cacheFolder));
  await runInCopy(process.execPath, ['cli/walkdown.mjs', 'new', 'plugin', 'spare-parts']);
  const profile = path.join(projectCopy, 'profiles', 'default.json');
  const profileContent = JSON.parse(await readFile(profile, 'utf8')) as { plugins: Record<string, unknown> };
  await writeFile(
    profile,
    JSON.stringify({
      ...profileContent,
      plugins: { ...profileContent.plugins, 'spare-parts': { greeting: 'Bonjour' } },
    }),
  );
});
afterAll(() => rm(projectCopy, { recursive: true }));

function runInCopy(command: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const { VITEST: _inner, ...environment } = process.env;
  // The compiler and the linter are Go programs, which take less time with fewer garbage collections.
  const env = { ...environment, GOGC: '400', GOMEMLIMIT: '3GiB' };
  return run(command, args, { cwd: projectCopy, env, maxBuffer: 32 * 1024 * 1024 });
}
const runTool = (name: string, args: readonly string[]) =>
  runInCopy(path.join(projectCopy, 'node_modules', '.bin', name), args);

describe('a newly scaffolded plugin', { timeout: 300_000 }, () => {
  it('compiles and respects the boundaries', async () => {
    // The linter reports the compiler's errors too. It checks the new files only, each with the libraries of its half.
    const { stdout } = await runTool('oxlint', ['--type-aware', '--type-check', 'plugins/spare-parts']).catch(
      (error: { readonly stdout: string }) => error,
    );
    expect(stdout).toMatch(/Found 0 warnings and 0 errors\.\n.* on \d{2} files/);
  });

  it('has no unused code', async () => {
    const { stdout } = await runTool('knip', [
      '--no-progress',
      '--include=files,exports,types',
      '--reporter=json',
    ]).catch((error: { readonly stdout: string }) => error);
    expect(stdout).toContain('"issues"');
    expect(stdout).not.toContain('plugins/spare-parts');
  });

  it('passes its tests', async () => {
    const { stdout } = await runTool('vitest', ['run', '--reporter=json', 'plugins/spare-parts']);
    const report = JSON.parse(stdout.slice(stdout.indexOf('{"num'))) as {
      numPassedTests: number;
      numFailedTests: number;
    };
    expect(report.numFailedTests).toBe(0);
    expect(report.numPassedTests).toBeGreaterThan(8);
  });

  it('is in the product if the profile switches it on', async () => {
    const { stdout } = await runInCopy(process.execPath, [
      'cli/walkdown.mjs',
      'build',
      '--profile',
      'default',
      '--json',
    ]);
    expect((JSON.parse(stdout) as { enabled: string[] }).enabled).toContain('spare-parts');
  });

  it('cannot be overwritten', async () => {
    await expect(runInCopy(process.execPath, ['cli/walkdown.mjs', 'new', 'plugin', 'spare-parts'])).rejects.toThrow(
      /There is already a plugin with this name/,
    );
  });
});
