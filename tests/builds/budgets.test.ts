import { describe, expect, it } from 'vitest';
import { CliError } from '../../cli/cli-error.ts';
import { budgets, type Budgets } from '../../cli/bundle/budgets.ts';
import { buildFixture } from './build-fixture.ts';

async function problemsWith(changed: Partial<Budgets>) {
  const error: unknown = await buildFixture('fixture-alpha', { budgets: { ...budgets, ...changed } }).then(
    async ({ remove }) => {
      await remove();
      return undefined;
    },
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CliError)) throw new Error(`The budget was not enforced: ${String(error)}`);
  return error;
}

describe('a budget that is passed', () => {
  it('fails the build with exit code 5, and names the imports that let the heaviest parts in', async () => {
    const { exitCode, problems } = await problemsWith({ signIn: { gzip: 1024, files: 8 } });
    expect(exitCode).toBe(5);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.cause).toMatch(/^The login page fetches too much: \d+\.\d KiB, allowed are 1\.0 KiB\.$/);
    const details = problems[0]?.details?.map((line) => line.trim()) ?? [];
    const heaviest = details.findIndex((line) => line.endsWith(' KiB react-dom'));
    expect(details.slice(heaviest + 1, heaviest + 4)).toEqual([
      expect.stringMatching(/sign-in\.entry\.ts$/),
      'imports tests/builds/fixtures/frame/sign-in.tsx',
      expect.stringMatching(/^imports node_modules\/react-dom\//),
    ]);
  });

  it('names the plugin that has too much in the first download', async () => {
    const { problems } = await problemsWith({ plugin: { bytes: 100 } });
    expect(problems.map(({ cause }) => cause)).toEqual([expect.stringContaining("The plugin 'fixture-alpha' has too much in the first download")]);
    expect(problems[0]?.details?.join('\n')).toContain('fixture-alpha/web/index.ts');
  });

  it.each([
    ['files at login', { signIn: { gzip: 1e6, files: 0 } }, 'The login page fetches too many files'],
    ['the shell', { shell: { gzip: 10 } }, 'The shell fetches too much after login'],
    ['files of a screen', { lazy: { files: 0 } }, "alpha-screen.tsx' fetches too many files"],
  ])('is noticed for %s', async (_, changed, sentence) => {
    const { problems } = await problemsWith(changed);
    expect(problems.map(({ cause }) => cause).join('\n')).toContain(sentence);
  });
});
