import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** Checks of the whole house. Each fails also when it examined nothing. */
export function runChecks(root) {
  return [types(root), lint(root), unused(root)];
}

function types(root) {
  const built = tool(root, 'tsc', ['-b']);
  if (built.status !== 0) return failed('types hold in every project', built.text);
  const projects = ['contract', 'web', 'server', 'cli', 'tests'];
  const empty = projects.filter(
    (project) =>
      !/\.tsx?$/m.test(
        tool(root, 'tsc', ['-p', `core/tsconfig/${project}.json`, '--listFilesOnly']).text.replaceAll(
          /.*node_modules.*\n/g,
          '',
        ),
      ),
  );
  return empty.length === 0
    ? passed('types hold in every project')
    : failed('types hold in every project', `These projects hold no file: ${empty.join(', ')}.`);
}

function lint(root) {
  const linted = tool(root, 'oxlint', ['--type-aware', '--deny-warnings']);
  const files = Number(/on (\d+) files?/.exec(linted.text)?.[1] ?? 0);
  const title = 'the linter and the walls find nothing';
  if (linted.status !== 0) return failed(title, linted.text);
  return files > 0 ? passed(title) : failed(title, 'The linter examined no file.');
}

function unused(root) {
  const title = 'no file, export or package is unused';
  const found = tool(root, 'knip', ['--no-progress']);
  return found.status === 0 ? passed(title) : failed(title, found.text);
}

function tool(root, name, words) {
  const suffix = process.platform === 'win32' ? '.cmd' : '';
  const { status, stdout, stderr } = spawnSync(path.join(root, 'node_modules', '.bin', `${name}${suffix}`), words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, text: `${stdout}${stderr}` };
}

const passed = (title) => ({ title, file: 'checks', state: 'passed' });
const failed = (title, message) => ({ title, file: 'checks', state: 'failed', message });
