import { spawn } from 'node:child_process';
import path from 'node:path';
import { createGoSettings } from './go-settings.mjs';

const projects = ['contract', 'web', 'server', 'cli', 'tests'];
const sources = /\.(?:ts|tsx|js|mjs|mts)$/;

/** Runs the checks of the whole project in parallel. Each check fails too if it examined nothing. */
export function runChecks(root) {
  return Promise.all([checkTypes(root), runLinter(root, []), findUnused(root), checkFormat(root, [])]);
}

/** Checks changed files. Types are checked in all files, because a change can break another file. */
export function runChangedChecks(root, files) {
  const changedSources = files.filter((file) => sources.test(file) && !file.startsWith('cli/templates/'));
  return Promise.all([
    checkTypes(root),
    ...(changedSources.length > 0 ? [runLinter(root, changedSources)] : []),
    ...(files.length > 0 ? [checkFormat(root, files)] : []),
  ]);
}

async function checkTypes(root) {
  const title = 'the types of every project are correct';
  // Each further checker of a project checks the imported types again.
  const result = await runTool(root, 'tsc', ['-b', '--checkers', '1']);
  if (result.status !== 0) return createFailed(title, result.text);
  const projectStates = await Promise.all(
    projects.map(async (project) => {
      const { text } = await runTool(root, 'tsc', ['-p', `core/tsconfig/${project}.json`, '--showConfig']);
      return { project, isEmpty: !/^ *"files": \[\s*"[^"]+\.tsx?"/m.test(text) };
    }),
  );
  const empty = projectStates.filter(({ isEmpty }) => isEmpty).map(({ project }) => project);
  return empty.length === 0
    ? createPassed(title)
    : createFailed(title, `These projects contain no file: ${empty.join(', ')}.`);
}

async function runLinter(root, files) {
  const title = 'the linter and the boundary rule find nothing';
  const result = await runTool(root, 'oxlint', ['--type-aware', '--deny-warnings', ...files]);
  const count = Number(/on (\d+) files?/.exec(result.text)?.[1] ?? 0);
  if (result.status !== 0) return createFailed(title, result.text);
  return count > 0 ? createPassed(title) : createFailed(title, 'The linter examined no file.');
}

async function findUnused(root) {
  const title = 'no file, export or package is unused';
  const result = await runTool(root, 'knip', ['--no-progress']);
  return result.status === 0 ? createPassed(title) : createFailed(title, result.text);
}

async function checkFormat(root, files) {
  const title = 'every file is formatted';
  const result = await runTool(root, 'oxfmt', ['--check', '--no-error-on-unmatched-pattern', ...files]);
  const count = Number(/on (\d+) files?/.exec(result.text)?.[1] ?? 0);
  if (result.status !== 0) return createFailed(title, `${result.text}Run "npm run format".`);
  // The formatter may support none of the changed files.
  return count > 0 || files.length > 0 ? createPassed(title) : createFailed(title, 'The formatter examined no file.');
}

/** Runs a command of a package. Resolves to its exit code and output. */
function runTool(root, name, args) {
  const suffix = process.platform === 'win32' ? '.cmd' : '';
  const child = spawn(path.join(root, 'node_modules', '.bin', `${name}${suffix}`), args, {
    cwd: root,
    env: { ...process.env, ...createGoSettings('3GiB') },
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  child.stderr.on('data', (chunk) => (text += chunk));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ status: 1, text: error.message }));
    child.on('close', (status) => resolve({ status, text }));
  });
}

const createPassed = (title) => ({ title, file: 'checks', state: 'passed' });
const createFailed = (title, message) => ({ title, file: 'checks', state: 'failed', message });
