import { existsSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from './programs.ts';

/** Returns the folder of the peers. Installs their packages if they are missing. No product contains them. */
export async function installPeers(root: string): Promise<string> {
  const peers = path.join(root, 'tests', 'benchmarks', 'peers');
  if (existsSync(path.join(peers, 'node_modules', '.package-lock.json'))) return peers;
  const npm = process.env['npm_execpath'];
  const [command, ...npmArguments] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=http'];
  try {
    await runCommand(command, [...npmArguments, ...args], { description: 'npm ci of the peers', cwd: peers });
  } catch (error) {
    // Removes download messages and warnings from the message.
    if (error instanceof Error) error.message = error.message.replaceAll(/^npm (?:http|warn) .*\n/gm, '');
    throw error;
  }
  return peers;
}
