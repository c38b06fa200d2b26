import type { Problem } from '../cli-error.ts';
import type { BuildContext } from './build-context.ts';
import type { Budgets } from './budgets.ts';
import type { Entries } from './entries.ts';
import { lazyPrefix } from './chunk-parents.ts';
import { findImportChain } from './output-graph.ts';
import type { Sizes } from './sizes.ts';
import type { WebBundle } from './web-bundle.ts';

/** The number of heaviest parts that a message names, each with its import chain. */
const maxNamed = 5;

/**
 * One problem for each exceeded limit, with the import chains of the heaviest parts.
 *
 * @throws if there is nothing to measure
 */
export function findBudgetProblems(
  context: BuildContext,
  bundle: WebBundle,
  entries: Entries,
  sizes: Sizes,
  budgets: Budgets,
): readonly Problem[] {
  if (sizes.signIn.bytes === 0 || sizes.total.paths.length === 0)
    throw new Error('The bundle has no script, so its size cannot be checked.');
  const signIn = context.sources.toDisplayPath(entries.signIn);
  const app = context.sources.toDisplayPath(entries.app);
  const listHeaviest = (entry: string, paths: readonly string[], isIncluded?: (source: string) => boolean) =>
    listHeaviestChains(bundle, entry, paths, isIncluded);
  const problems: Problem[] = [];
  const checkLimit = (
    subject: string,
    value: number,
    limit: number,
    format: (value: number) => string,
    details: readonly string[],
    remedy: string,
  ) => {
    if (value > limit)
      problems.push({ cause: `${subject}: ${format(value)}, allowed: ${format(limit)}.`, details, remedy });
  };
  const lazyRemedy = 'Load code that is not needed at once by an `import()`.';

  checkLimit(
    'The sign-in page fetches too much',
    sizes.signIn.gzip,
    budgets.signIn.gzip,
    formatKibibytes,
    listHeaviest(signIn, sizes.signIn.paths),
    lazyRemedy,
  );
  checkLimit(
    'The sign-in page fetches too many files',
    sizes.signIn.paths.length,
    budgets.signIn.files,
    formatCount,
    sizes.signIn.paths,
    'Import components through one of the two kits.',
  );
  checkLimit(
    'The shell fetches too much after login',
    sizes.shell.gzip,
    budgets.shell.gzip,
    formatKibibytes,
    listHeaviest(app, sizes.shell.paths),
    lazyRemedy,
  );
  for (const [id, bytes] of Object.entries(sizes.plugins)) {
    const isOwn = (source: string) => context.sources.findOwner(`${context.root}/${source}`) === id;
    checkLimit(
      `The plugin '${id}' has too much in the first download`,
      bytes,
      budgets.plugin.bytes,
      formatKibibytes,
      listHeaviest(app, bundle.graph.listStaticClosure(bundle.app), isOwn),
      `Keep only declarations in 'web/index.ts' and the contract of '${id}', and load screens, stores and services ` +
        'by an `import()`.',
    );
  }
  for (const { source, paths } of sizes.lazy) {
    checkLimit(
      `'${source}' fetches too many files`,
      paths.length,
      budgets.lazy.files,
      formatCount,
      paths.map((path) => listContents(bundle, path)),
      "Import components only from '#core/ui' and '#core/ui-data', and put code that several parts of the plugin " +
        'share into one module. A module of more than 16 KiB that only some parts share stays a separate file.',
    );
  }
  return problems;
}

function listHeaviestChains(
  { graph, metafile }: WebBundle,
  entry: string,
  paths: readonly string[],
  isIncluded: (source: string) => boolean = () => true,
): readonly string[] {
  const weights = new Map<string, { bytes: number; readonly source: string; heaviestBytes: number }>();
  for (const path of paths) {
    for (const [source, bytes] of graph.files.get(path)?.inputs ?? []) {
      if (!isIncluded(source)) continue;
      const name = findPackage(source) ?? source;
      const previous = weights.get(name);
      if (!previous) weights.set(name, { bytes, source, heaviestBytes: bytes });
      else
        weights.set(name, {
          bytes: previous.bytes + bytes,
          source: bytes > previous.heaviestBytes ? source : previous.source,
          heaviestBytes: Math.max(bytes, previous.heaviestBytes),
        });
    }
  }
  const top = [...weights].sort(([, a], [, b]) => b.bytes - a.bytes).slice(0, maxNamed);
  return top.flatMap(([name, { bytes, source }]) => [
    `${formatKibibytes(bytes)} ${name}`,
    ...findImportChain(metafile, entry, source).map(
      (link, depth) => `${'  '.repeat(depth + 1)}${depth === 0 ? '' : 'imports '}${link}`,
    ),
  ]);
}

/** Lists the contents of a file, the heaviest first, because its hashed name does not describe it. */
function listContents({ graph }: WebBundle, file: string): string {
  const inputs = [...(graph.files.get(file)?.inputs ?? [])]
    .filter(([source]) => !lazyPrefix.test(source))
    .sort(([, a], [, b]) => b - a);
  const names = [...new Set(inputs.map(([source]) => findPackage(source) ?? source))];
  const suffix = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return `${formatKibibytes(inputs.reduce((total, [, size]) => total + size, 0))} ${names.slice(0, maxNamed).join(', ')}${suffix}`;
}

/** The package that contains a source. */
function findPackage(source: string): string | undefined {
  return /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
}

export function formatKibibytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}

function formatCount(value: number): string {
  return String(value);
}
