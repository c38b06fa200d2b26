import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectRoot } from '../project-root.ts';
import { createProjectCopy } from './project-copy.ts';

let out: string;
beforeEach(async () => {
  out = await mkdtemp(path.join(tmpdir(), 'walkdown-served-'));
});
afterEach(() => rm(out, { recursive: true, force: true }));

/** Writes a minimal product outside of the project, without packages of its own. */
async function writeMinimalProduct(version: string): Promise<void> {
  await mkdir(path.join(out, 'server'));
  await mkdir(path.join(out, 'web'));
  await writeFile(path.join(out, 'web', 'index.html'), 'its page');
  await writeFile(
    path.join(out, 'server', 'server.mjs'),
    "import 'ajv';\nimport { readFileSync } from 'node:fs';\nprocess.stdout.write(readFileSync(new " +
      "URL('../web/index.html', import.meta.url)));\n",
  );
  await writeFile(path.join(out, 'server', 'package.json'), JSON.stringify({ dependencies: { ajv: version } }));
}

const run = (...args: readonly string[]) => spawnSync(process.execPath, args, { encoding: 'utf8' });

describe('a product outside of the project', () => {
  it("runs with the project's packages if their versions match", async () => {
    const { version } = JSON.parse(await readFile(path.join(projectRoot, 'node_modules/ajv/package.json'), 'utf8')) as {
      version: string;
    };
    await writeMinimalProduct(version);
    expect(run(path.join(out, 'server/server.mjs')).stderr).toContain('ERR_MODULE_NOT_FOUND');
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const copy = await createProjectCopy(projectRoot, out);
      expect(run(path.join(copy ?? '', 'server/server.mjs')).stdout).toBe('its page');
    }
  });

  it('keeps its latest copies and the copies of other products', async () => {
    const { version } = JSON.parse(await readFile(path.join(projectRoot, 'node_modules/ajv/package.json'), 'utf8')) as {
      version: string;
    };
    await writeMinimalProduct(version);
    const root = path.join(out, 'project');
    await mkdir(path.join(root, 'node_modules/ajv'), { recursive: true });
    await writeFile(path.join(root, 'node_modules/ajv/package.json'), JSON.stringify({ version }));
    const otherFolder = path.join(out, 'other');
    await cp(path.join(out, 'server'), path.join(otherFolder, 'server'), { recursive: true });
    const otherCopy = await createProjectCopy(root, otherFolder);
    const copies: (string | undefined)[] = [];
    for (let build = 0; build < 6; build += 1) {
      await writeFile(path.join(out, 'server', 'server.mjs'), `// ${build}`);
      copies.push(await createProjectCopy(root, out));
    }
    const remainingCopies = await readdir(path.join(root, '.generated/served'));
    expect(remainingCopies).toContain(path.basename(otherCopy ?? ''));
    expect(remainingCopies).toContain(path.basename(copies.at(-1) ?? ''));
    expect(remainingCopies).toHaveLength(5);
  });

  it('names the command to install packages if the project is not writable', async () => {
    const { version } = JSON.parse(await readFile(path.join(projectRoot, 'node_modules/ajv/package.json'), 'utf8')) as {
      version: string;
    };
    await writeMinimalProduct(version);
    const root = path.join(out, 'project');
    await mkdir(path.join(root, 'node_modules/ajv'), { recursive: true });
    await writeFile(path.join(root, 'node_modules/ajv/package.json'), JSON.stringify({ version }));
    await writeFile(path.join(root, '.generated'), 'no folder');
    await expect(createProjectCopy(root, out)).rejects.toThrow(
      /cannot be used for it\. '.*\.generated' is a file.*npm ci --omit=dev/,
    );
  });

  it("names the command to install packages if the project's packages differ", async () => {
    await writeMinimalProduct('1.2.3');
    expect(await createProjectCopy(projectRoot, out)).toBeUndefined();
    const { status, stderr } = run(path.join(projectRoot, 'cli/walkdown.mjs'), 'serve', '--out', out);
    expect(status).toBe(2);
    expect(stderr).toContain("packages are not installed, and the project's have other versions");
    expect(stderr).toContain(`Run "npm ci --omit=dev" in ${path.join(out, 'server')}`);
  });
});
