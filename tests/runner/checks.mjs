import { spawn } from 'node:child_process';
import path from 'node:path';

const projects = ['contract', 'web', 'server', 'cli', 'tests'];
const sources = /\.(?:ts|tsx|js|mjs|mts)$/;

/** Runs the checks of the whole project in parallel. Each also fails if it examined nothing. */
export function runChecks(root) {
  return Promise.all([types(root), lint(root, []), unused(root), format(root, [])]);
}

/** Checks changed files; types are always checked in all files, since they depend on each other. */
export function runChangedChecks(root, files) {
  const changed = files.filter((file) => sources.test(file) && !file.startsWith('cli/templates/'));
  return Promise.all([
    types(root),
    ...(changed.length > 0 ? [lint(root, changed)] : []),
    ...(files.length > 0 ? [format(root, files)] : []),
  ]);
}

async function types(root) {
  const title = 'types hold in every project';
  const built = await tool(root, 'tsc', ['-b']);
  if (built.status !== 0) return failed(title, built.text);
  const listed = await Promise.all(
    projects.map(async (project) => {
      const { text } = await tool(root, 'tsc', ['-p', `core/tsconfig/${project}.json`, '--showConfig']);
      return { project, isEmpty: !/^ *"files": \[\s*"[^"]+\.tsx?"/m.test(text) };
    }),
  );
  const empty = listed.filter(({ isEmpty }) => isEmpty).map(({ project }) => project);
  return empty.length === 0 ? passed(title) : failed(title, `These projects hold no file: ${empty.join(', ')}.`);
}

async function lint(root, files) {
  const title = 'the linter and the walls find nothing';
  const linted = await tool(root, 'oxlint', ['--type-aware', '--deny-warnings', ...files]);
  const count = Number(/on (\d+) files?/.exec(linted.text)?.[1] ?? 0);
  if (linted.status !== 0) return failed(title, linted.text);
  return count > 0 ? passed(title) : failed(title, 'The linter examined no file.');
}

async function unused(root) {
  const title = 'no file, export or package is unused';
  const found = await tool(root, 'knip', ['--no-progress']);
  return found.status === 0 ? passed(title) : failed(title, found.text);
}

async function format(root, files) {
  const title = 'every file is formatted';
  const checked = await tool(root, 'oxfmt', ['--check', '--no-error-on-unmatched-pattern', ...files]);
  const count = Number(/on (\d+) files?/.exec(checked.text)?.[1] ?? 0);
  if (checked.status !== 0) return failed(title, `${checked.text}Run "npm run format".`);
  // Changed files may all be of kinds without a format.
  return count > 0 || files.length > 0 ? passed(title) : failed(title, 'The formatter examined no file.');
}

/** Runs a command of a package. Resolves to its exit code and output. */
function tool(root, name, args) {
  const suffix = process.platform === 'win32' ? '.cmd' : '';
  const child = spawn(path.join(root, 'node_modules', '.bin', `${name}${suffix}`), args, { cwd: root });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  child.stderr.on('data', (chunk) => (text += chunk));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ status: 1, text: error.message }));
    child.on('close', (status) => resolve({ status, text }));
  });
}

const passed = (title) => ({ title, file: 'checks', state: 'passed' });
const failed = (title, message) => ({ title, file: 'checks', state: 'failed', message });
