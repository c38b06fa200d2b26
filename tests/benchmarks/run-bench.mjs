import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const processModule = path.join(path.dirname(fileURLToPath(import.meta.url)), 'support', 'bench-process.ts');

/**
 * Bundles the benchmark `source` into the file `program` and runs it in a child process. Resolves with its results or
 * its error, after all processes that it started have been ended.
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
  // The child has a process group of its own, so that all its processes can be ended together.
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
    let reply;
    let output = '';
    child.stderr.on('data', (chunk) => {
      process.stderr.write(chunk);
      output = (output + chunk.toString()).slice(-2000);
    });
    child.once('message', (message) => (reply = message));
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      endGroup();
      process.off('exit', endGroup);
      if (reply?.results) resolve(reply.results);
      else if (reply) reject(Object.assign(new Error(reply.error.message), reply.error));
      else reject(new Error(`Its process ended with ${code ?? signal}. ${output}`));
    });
  });
}

/**
 * Bundles the project's TypeScript, which Node 20 cannot run. Modules of the project keep their `import.meta` paths, so
 * that they find files next to their sources.
 */
export async function bundleModule(root, contents, outfile) {
  const keepPaths = {
    name: 'keep-paths',
    setup(setup) {
      setup.onLoad({ filter: /\.tsx?$/ }, ({ path: file }) => {
        if (file.includes(`${path.sep}node_modules${path.sep}`)) return undefined;
        const source = readFileSync(file, 'utf8');
        if (!source.includes('import.meta.')) return undefined;
        const paths =
          `const importMetaUrl = ${JSON.stringify(pathToFileURL(file).href)}, importMetaDirname = ` +
          `${JSON.stringify(path.dirname(file))};\n`;
        return { contents: paths + source, loader: file.endsWith('x') ? 'tsx' : 'ts' };
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
    plugins: [keepPaths],
    logLevel: 'silent',
  });
}
