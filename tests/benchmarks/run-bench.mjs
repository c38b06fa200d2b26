import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const processModule = path.join(path.dirname(fileURLToPath(import.meta.url)), 'support', 'bench-process.ts');

/**
 * Bundles the benchmark `source` into the file `program` and runs it in a child process. Resolves with its results or
 * its error. Then ends all processes that it left running.
 */
export async function runBench({ root, source, program, settings }) {
  try {
    const entry =
      `import bench from ${JSON.stringify(source)};\n` +
      `import { measure } from ${JSON.stringify(processModule)};\nawait measure(bench);\n`;
    await bundleModule(root, entry, program);
    return { results: await readResults(program, settings) };
  } catch (error) {
    return { results: [], error };
  }
}

function readResults(program, settings) {
  // A process group of its own, so that all its processes can be ended together.
  const child = fork(program, [JSON.stringify(settings)], {
    stdio: ['ignore', 2, 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
    serialization: 'advanced',
  });
  const endGroup = () => {
    const { pid } = child;
    if (pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch {
      // The group has no processes any more.
    }
  };
  process.once('exit', endGroup);
  return new Promise((resolve, reject) => {
    let answer;
    let written = '';
    child.stderr.on('data', (chunk) => {
      process.stderr.write(chunk);
      written = (written + chunk.toString()).slice(-2000);
    });
    child.once('message', (message) => (answer = message));
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      endGroup();
      process.off('exit', endGroup);
      if (answer?.results) resolve(answer.results);
      else if (answer) reject(Object.assign(new Error(answer.error.message), answer.error));
      else reject(new Error(`Its process ended with ${code ?? signal}. ${written}`));
    });
  });
}

/**
 * Bundles the project's TypeScript, which Node 20 cannot run. Project modules keep their `import.meta` paths, so that
 * they find files next to their sources.
 */
export async function bundleModule(root, contents, outfile) {
  const keepPlace = {
    name: 'keep-place',
    setup(setup) {
      setup.onLoad({ filter: /\.tsx?$/ }, ({ path: file }) => {
        if (file.includes(`${path.sep}node_modules${path.sep}`)) return undefined;
        const source = readFileSync(file, 'utf8');
        if (!source.includes('import.meta.')) return undefined;
        const place =
          `const importMetaUrl = ${JSON.stringify(pathToFileURL(file).href)}, importMetaDirname = ` +
          `${JSON.stringify(path.dirname(file))};\n`;
        return { contents: place + source, loader: file.endsWith('x') ? 'tsx' : 'ts' };
      });
    },
  };
  await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, loader: 'ts', sourcefile: 'bench.ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    define: { 'import.meta.url': 'importMetaUrl', 'import.meta.dirname': 'importMetaDirname' },
    tsconfigRaw: {
      compilerOptions: { experimentalDecorators: true, useDefineForClassFields: true, verbatimModuleSyntax: true },
    },
    plugins: [keepPlace],
    logLevel: 'silent',
  });
}
