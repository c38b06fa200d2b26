import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The folder of what the bench measures against, whose packages are installed first where they are not: no product
 * holds any of them.
 */
export function installPeers(root: string): string {
  const peers = path.join(root, 'tests', 'benchmarks', 'peers');
  if (!existsSync(path.join(peers, 'node_modules')))
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: peers, stdio: 'ignore' });
  return peers;
}
