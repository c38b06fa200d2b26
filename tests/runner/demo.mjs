import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

/** A lower priority than the tests have, so that building the demo does not slow them down. */
const priority = 10;

/**
 * Builds the demo profile and stores the demo plant in a new database, in a folder for temporary files. Resolves to the
 * folders of both for the journeys, or to undefined if that failed: the journeys then do it again, and report why.
 */
export async function prepareDemo(root, folder, environment) {
  const productFolder = path.join(folder, 'demo-product');
  const dataFolder = path.join(folder, 'demo-data');
  const start = (args, variables = {}) => {
    const child = spawn(
      process.execPath,
      [path.join(root, 'cli', 'walkdown.mjs'), ...args, '--out', productFolder, '--json'],
      {
        cwd: root,
        env: { ...process.env, ...environment, ...variables },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const stopChild = () => child.kill('SIGTERM');
    process.once('exit', stopChild);
    const closed = new Promise((resolve) => {
      child.once('error', () => resolve(undefined));
      child.once('close', (status) => {
        process.off('exit', stopChild);
        resolve(status);
      });
    });
    if (child.pid !== undefined) os.setPriority(child.pid, priority);
    return { child, closed };
  };
  const build = start(['build', '--profile', 'demo']);
  build.child.stdout.resume();
  if ((await build.closed) !== 0) return undefined;
  const server = start(['serve', '--demo'], {
    PORT: '0',
    HOST: '127.0.0.1',
    WALKDOWN_DATA: dataFolder,
    LOG_LEVEL: 'error',
  });
  let output = '';
  let isListening = false;
  server.child.stdout.on('data', (chunk) => {
    output += chunk;
    if (isListening || !/"address":/.test(output)) return;
    isListening = true;
    server.child.kill('SIGTERM');
  });
  await server.closed;
  return isListening ? { out: productFolder, data: dataFolder } : undefined;
}
