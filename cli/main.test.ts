import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exitCodes } from './cli-error.ts';
import { createProgram, main } from './main.ts';
import { projectRoot } from './project-root.ts';

const { commands } = await createProgram();
/** The arguments of each command: `['build']`, `['new', 'plugin']`. */
const commandArguments = commands.flatMap((command) =>
  command.commands.length > 0 ? command.commands.map((inner) => [command.name(), inner.name()]) : [[command.name()]],
);

let stdout = '';
let stderr = '';

beforeEach(() => {
  stdout = '';
  stderr = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((stdout += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((stderr += String(text)), true));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
});

/** Runs a command line and returns its exit code. */
async function run(...args: readonly string[]): Promise<number> {
  process.exitCode = undefined;
  await main(['node', 'walkdown', ...args]);
  return Number(process.exitCode ?? 0);
}

describe('the command line', () => {
  it('answers an unknown command with exit code 2 and a hint', async () => {
    expect(await run('biuld')).toBe(2);
    expect(stderr).toMatch(/unknown command 'biuld'/);
    expect(stderr).toMatch(/build/);
  });

  it('refuses a folder of workbooks that is not empty before it writes the demo plant', async () => {
    expect(await run('demo', '--out', 'no-such-build', '--workbooks', path.join(projectRoot, 'cli'))).toBe(2);
    expect(stderr).toMatch(/not empty/);
  });

  it('answers an unknown option with exit code 2', async () => {
    expect(await run('build', '--profil', 'demo')).toBe(2);
    expect(stderr).toMatch(/unknown option '--profil'/);
  });

  it.each(commandArguments)('shows an example in the help of "%s"', async (...args) => {
    expect(await run(...args, '--help')).toBe(0);
    expect(stdout).toMatch(/Examples?:\n {2}\$ .*walkdown /);
  });

  it('reports problems of a profile by file with a remedy, with exit code 3', async () => {
    expect(await run('build', '--profile', 'no-such-profile')).toBe(3);
    expect(stderr).toMatch(/There is no such profile/);
    expect(stderr).toMatch(/profiles\/no-such-profile\.json/);
    expect(stderr).toMatch(/Available profiles: default, demo/);
    expect(stdout).toBe('');
  });

  it('reports problems as JSON on stdout', async () => {
    expect(await run('build', '--profile', 'no-such-profile', '--json')).toBe(3);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        exitCode: 3,
        problems: [
          {
            file: 'profiles/no-such-profile.json',
            cause: 'There is no such profile.',
            remedy: expect.stringContaining('default') as string,
          },
        ],
      },
    });
    expect(stderr).toBe('');
  });

  it.each(['--help', 'explain --help', 'explain', 'explain --json', 'no-such-command'])(
    'ends silently if the reader closes the pipe: %s',
    async (line) => {
      const child = spawn(process.execPath, [path.join(projectRoot, 'cli', 'walkdown.mjs'), ...line.split(' ')], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      child.stderr.on('data', (text: Buffer) => void (output += text.toString()));
      child.stdout.destroy();
      const [code] = (await once(child, 'close')) as [number];
      expect(output).not.toMatch(/EPIPE|^\s+at /m);
      expect(code).toBe(line === 'no-such-command' ? 2 : 0);
    },
  );

  it.each([
    ['a file', 'package.json', "package\\.json' is a file"],
    ['below a file', 'package.json/product', "package\\.json' is a file"],
    ['the project itself', '.', 'contains this project'],
    ['a folder above the project', '..', 'contains this project'],
    ['a folder with other files', 'core', 'contains no earlier build'],
  ])('refuses to build into %s before it builds', async (_, folder, message) => {
    // The first run loads the command's modules, which takes time.
    await run('build', '--out', path.join(projectRoot, folder), '--json');
    stdout = '';
    const startedAt = performance.now();
    expect(await run('build', '--out', path.join(projectRoot, folder), '--json')).toBe(2);
    expect(performance.now() - startedAt).toBeLessThan(3000);
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        exitCode: 2,
        problems: [
          {
            file: folder === '..' ? path.dirname(projectRoot) : folder,
            cause: expect.stringMatching(message) as string,
            remedy: expect.stringContaining('--out') as string,
          },
        ],
      },
    });
  });

  it('lists each exit code in its help', async () => {
    expect(await run('--help')).toBe(0);
    for (const code of Object.values(exitCodes)) expect(stdout).toMatch(new RegExp(`Exit codes:.* ${code} `));
  });

  it('refuses to serve a product that was not built', async () => {
    expect(await run('serve', '--out', '/nowhere')).toBe(2);
    expect(stderr).toMatch(/There is no built product here/);
    expect(stderr).toMatch(/walkdown build/);
  });
});

describe('[PRO-12] the profile', () => {
  const getExplainedProfile = () => (JSON.parse(stdout) as { profile: string }).profile;

  it('comes from the option', async () => {
    vi.stubEnv('WALKDOWN_PROFILE', 'profile-b');
    expect(await run('explain', '--profile', 'profile-a', '--json')).toBe(0);
    expect(getExplainedProfile()).toBe('profile-a');
  });

  it('comes from the environment without an option', async () => {
    vi.stubEnv('WALKDOWN_PROFILE', 'profile-b');
    expect(await run('explain', '--json')).toBe(0);
    expect(getExplainedProfile()).toBe('profile-b');
  });

  it('is the default otherwise', async () => {
    vi.stubEnv('WALKDOWN_PROFILE', undefined);
    expect(await run('explain', '--json')).toBe(0);
    expect(getExplainedProfile()).toBe('default');
  });

  it('is explained with the file and line of each value, also through `extends`', async () => {
    expect(await run('explain', '--profile', 'profile-c', '--json')).toBe(0);
    const { settings } = JSON.parse(stdout) as { settings: { pointer: string; from: string; line?: number }[] };
    const findSetting = (pointer: string) => settings.find((setting) => setting.pointer === pointer);
    expect(findSetting('/plugins/feedback/dropdowns')).toMatchObject({
      value: 1,
      from: 'profiles/profile-c.json',
      line: 9,
    });
    expect(findSetting('/plugins/feedback/ratings')).toMatchObject({
      value: true,
      from: 'profiles/default.json',
      line: 17,
    });
    expect(findSetting('/plugins/feedback/validFor')).toEqual({
      pointer: '/plugins/feedback/validFor',
      value: 28_800_000,
      from: 'default',
    });
  });

  it('is explained with the file that disables a plugin', async () => {
    const file = 'tests/builds/fixtures/profiles/without-scan.json';
    expect(await run('explain', '--profile', file, '--json')).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ takenOut: { annotate: `${file}:4`, scan: `${file}:4` } });
  });

  it('may be a file', async () => {
    expect(await run('explain', '--profile', 'profiles/profile-c.json', '--json')).toBe(0);
    expect(getExplainedProfile()).toBe('profile-c');
  });
});
