import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/**
 * The reason to install packages; undefined if the installed ones match the lock file. Compares the lock file with
 * npm's record of the installation.
 */
function findInstallReason(root) {
  const installedLock = path.join(root, 'node_modules', '.package-lock.json');
  const lock = path.join(root, 'package-lock.json');
  if (!existsSync(installedLock)) return 'The packages are not installed yet';
  if (statSync(installedLock).mtimeMs >= statSync(lock).mtimeMs) return undefined;
  const lockedPackages = JSON.parse(readFileSync(lock, 'utf8')).packages;
  const installedPackages = JSON.parse(readFileSync(installedLock, 'utf8')).packages;
  const differs = Object.entries(lockedPackages).some(
    ([name, entry]) =>
      name !== '' && !entry.optional && !entry.peer && installedPackages[name]?.version !== entry.version,
  );
  return differs ? 'package-lock.json changed since the packages were installed' : undefined;
}

/**
 * Installs the packages of the lock file if they are missing or differ. Needs only Node and its npm. Returns a message
 * on failure. Does not use `npm ci`, because the lock file lists some native packages for one platform only, and `npm
 * ci` fails on the other platforms.
 */
export function installPackages(root, print) {
  const reason = findInstallReason(root);
  if (reason === undefined) return undefined;
  print(`${reason}: installing them (needed once, one or two minutes).`);
  const npm = process.env.npm_execpath;
  const [command, ...npmArguments] = npm?.endsWith('.js')
    ? [process.execPath, npm]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
  const args = [...npmArguments, 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: command === 'npm.cmd',
  });
  if (status === 0) return undefined;
  return (
    `The packages could not be installed${error ? ` (${error.message})` : ''}. See npm's messages above, check that ` +
    'the package registry can be reached, and try again.'
  );
}
