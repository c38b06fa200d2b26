import { existsSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from './programs.ts';

/**
 * The folder of what the bench measures against, whose packages are installed first where they are not: no product
 * holds any of them.
 */
export async function installPeers(root: string): Promise<string> {
  const peers = path.join(root, 'tests', 'benchmarks', 'peers');
  // npm writes this file last.
  if (existsSync(path.join(peers, 'node_modules', '.package-lock.json'))) return peers;
  const npm = process.env['npm_execpath'];
  const [command, ...leading] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=http'];
  try {
    await runCommand(command, [...leading, ...words], { what: 'npm ci of the peers', cwd: peers });
  } catch (error) {
    // Downloads and warnings are no cause.
    if (error instanceof Error) error.message = error.message.replaceAll(/^npm (?:http|warn) .*\n/gm, '');
    throw error;
  }
  return peers;
}
