import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const isScript = (file: string): boolean => /\.(tsx?|mjs)$/.test(file) && !/\.(test|d)\.tsx?$/.test(file);

/** Skips packages and files that are not scripts. */
const ignoreOtherImports: Plugin = {
  name: 'only-scripts',
  setup: ({ onResolve }) => {
    onResolve({ filter: /./ }, ({ path: target, kind }) =>
      kind === 'entry-point' || target.startsWith('#') || (target.startsWith('.') && isScript(target))
        ? undefined
        : { external: true },
    );
  },
};

/** Returns the runtime imports of each file, including `import()`. Type imports are erased and do not count. */
async function readImports(root: string): Promise<Graph> {
  const folders = ['core', 'plugins', 'cli'];
  const filesByFolder = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(path.join(root, folder), { recursive: true }).catch(() => [])).map((file) =>
        path.posix.join(folder, file.replaceAll(path.sep, '/')),
      ),
    ),
  );
  const files = filesByFolder.flat().filter((file) => isScript(file) && !file.startsWith('cli/templates/'));
  const { metafile } = await build({
    stdin: { contents: files.map((file) => `import './${file}';`).join('\n'), resolveDir: root, sourcefile: 'all.js' },
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    plugins: [ignoreOtherImports],
  });
  return new Map(
    Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
      file === 'all.js'
        ? []
        : [[file, new Set(imports.flatMap((imported) => (imported.external ? [] : imported.path)))] as const],
    ),
  );
}

/** Returns the imports between the direct subfolders of `parent`. Ignores files directly in `parent`. */
function groupByFolder(files: Graph, parent: string): Graph {
  const getFolder = (file: string): string | undefined => {
    const [folder, ...rest] = file.startsWith(`${parent}/`) ? file.slice(parent.length + 1).split('/') : [];
    return rest.length > 0 ? folder : undefined;
  };
  const graph = new Map<string, Set<string>>();
  for (const [file, imports] of files) {
    const from = getFolder(file);
    if (from === undefined) continue;
    const targets = graph.get(from) ?? new Set<string>();
    graph.set(from, targets);
    for (const to of [...imports].map(getFolder)) if (to !== undefined && to !== from) targets.add(to);
  }
  return graph;
}

/** Returns the path of one circular import, or undefined. */
function findCircle(graph: Graph): readonly string[] | undefined {
  const visitedNames = new Set<string>();
  const trail: string[] = [];
  const visit = (name: string): readonly string[] | undefined => {
    if (trail.includes(name)) return [...trail.slice(trail.indexOf(name)), name];
    if (visitedNames.has(name)) return undefined;
    trail.push(name);
    for (const next of graph.get(name) ?? []) {
      const circle = visit(next);
      if (circle) return circle;
    }
    trail.pop();
    visitedNames.add(name);
    return undefined;
  };
  for (const name of [...graph.keys()].toSorted()) {
    const circle = visit(name);
    if (circle) return circle;
  }
  return undefined;
}

function findFolderCircles(files: Graph): readonly string[] {
  const parents = new Set([...files.keys()].flatMap((file) => listParents(file)));
  return [...parents].toSorted().flatMap((parent) => {
    const circle = findCircle(groupByFolder(files, parent));
    return circle ? `${parent}: ${circle.join(' -> ')}` : [];
  });
}

function listParents(file: string): readonly string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

describe('imports', () => {
  let files: Graph;
  beforeAll(async () => {
    files = await readImports(process.cwd());
  });

  it('are read from all source files', () => {
    expect(files.size).toBeGreaterThan(900);
    expect(files.get('plugins/scan/web/viewer/station-panorama/shown-scan.ts')).toContain(
      'plugins/tour/contract/index.ts',
    );
  });

  it('form no circle of files', () => {
    expect(findCircle(files)).toBeUndefined();
  });

  it('form no circle of folders', () => {
    expect(findFolderCircles(files)).toEqual([]);
  });
});

describe('planted circular imports', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'walkdown-circles-'));
    await symlink(path.join(process.cwd(), 'node_modules'), path.join(root, 'node_modules'));
  });
  afterAll(() => rm(root, { recursive: true }));

  const writeProject = async (sources: Readonly<Record<string, string>>): Promise<Graph> => {
    for (const folder of ['core', 'plugins', 'cli'])
      await rm(path.join(root, folder), { recursive: true, force: true });
    for (const [file, source] of Object.entries(sources)) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), source);
    }
    return readImports(root);
  };

  it.each([
    ['a plugin', 'plugins/permits/web'],
    ['core', 'core/server'],
  ])('finds a circle of folders in %s without a circle of files', async (_, parent) => {
    const files = await writeProject({
      [`${parent}/list/list.ts`]: `import { format } from '../form/format.ts'; export const list = () => format(1);`,
      [`${parent}/form/format.ts`]: `export const format = (value: number) => String(value);`,
      [`${parent}/form/form.ts`]: `export const form = () => import('../list/list.ts');`,
    });
    expect(findCircle(files)).toBeUndefined();
    expect(findFolderCircles(files)).toEqual([`${parent}: form -> list -> form`]);
  });

  it('finds a circle of files', async () => {
    const files = await writeProject({
      'plugins/permits/web/a.ts': `import { b } from './b.ts'; export const a = () => b;`,
      'plugins/permits/web/b.ts': `import { a } from './a.ts'; export const b = () => a;`,
    });
    expect(findCircle(files)).toEqual([
      'plugins/permits/web/a.ts',
      'plugins/permits/web/b.ts',
      'plugins/permits/web/a.ts',
    ]);
  });

  it('ignores a circle of types', async () => {
    const files = await writeProject({
      'plugins/permits/web/list/a.ts': `import type { B } from '../form/b.ts'; export type A = B | 1;`,
      'plugins/permits/web/form/b.ts': `import type { A } from '../list/a.ts'; export type B = A | 2;`,
    });
    expect([findCircle(files), findFolderCircles(files)]).toEqual([undefined, []]);
  });
});
