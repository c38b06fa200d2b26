import type { Problem } from '../cli-error.ts';
import type { BuildContext } from './build-context.ts';
import type { Budgets } from './budgets.ts';
import type { Entries } from './entries.ts';
import { lazyPrefix } from './chunk-parents.ts';
import { importChain } from './output-graph.ts';
import type { Sizes } from './sizes.ts';
import type { WebBundle } from './web-bundle.ts';

/** How many of the heaviest parts a message names, each with its import chain. */
const maxNamed = 5;

/**
 * One problem for each exceeded limit, with the import chains of the heaviest parts.
 *
 * @throws if there is nothing to measure
 */
export function budgetProblems(
  context: BuildContext,
  bundle: WebBundle,
  entries: Entries,
  sizes: Sizes,
  budgets: Budgets,
): readonly Problem[] {
  if (sizes.signIn.bytes === 0 || sizes.total.files.length === 0)
    throw new Error('There was no script to weigh: the sizes prove nothing.');
  const signIn = context.sources.display(entries.signIn);
  const app = context.sources.display(entries.app);
  const heaviest = (entry: string, files: readonly string[], only?: (source: string) => boolean) =>
    heaviestChains(bundle, entry, files, only);
  const problems: Problem[] = [];
  const over = (
    what: string,
    value: number,
    bar: number,
    unit: (value: number) => string,
    details: readonly string[],
    remedy: string,
  ) => {
    if (value > bar) problems.push({ cause: `${what}: ${unit(value)}, allowed are ${unit(bar)}.`, details, remedy });
  };
  const lazily = 'Put what is not needed at once behind an `import()`.';

  over(
    'The login page fetches too much',
    sizes.signIn.gzip,
    budgets.signIn.gzip,
    kibibytes,
    heaviest(signIn, sizes.signIn.files),
    lazily,
  );
  over(
    'The login page fetches too many files',
    sizes.signIn.files.length,
    budgets.signIn.files,
    plain,
    sizes.signIn.files,
    'Import what belongs together through one of the kits.',
  );
  over(
    'The shell fetches too much after login',
    sizes.shell.gzip,
    budgets.shell.gzip,
    kibibytes,
    heaviest(app, sizes.shell.files),
    lazily,
  );
  for (const [id, bytes] of Object.entries(sizes.plugins)) {
    const own = (source: string) => context.sources.findOwner(`${context.root}/${source}`) === id;
    over(
      `The plugin '${id}' has too much in the first download`,
      bytes,
      budgets.plugin.bytes,
      kibibytes,
      heaviest(app, bundle.graph.closure(bundle.app), own),
      `In 'web/index.ts' and the contract of '${id}' only what declares belongs: screens, stores and services stand ` +
        `behind \`import()\`.`,
    );
  }
  for (const { source, files } of sizes.lazy) {
    over(
      `'${source}' fetches too many files`,
      files.length,
      budgets.lazy.files,
      plain,
      files.map((file) => listContents(bundle, file)),
      "Take components from '#core/ui' and '#core/ui-data' only, and give what several parts of the plugin share " +
        'one place: a file of more than 16 KiB that only some of them share stays a file of its own.',
    );
  }
  return problems;
}

function heaviestChains(
  { graph, metafile }: WebBundle,
  entry: string,
  files: readonly string[],
  only: (source: string) => boolean = () => true,
): readonly string[] {
  const weights = new Map<string, { bytes: number; readonly source: string; heaviest: number }>();
  for (const file of files) {
    for (const [source, bytes] of graph.files.get(file)?.inputs ?? []) {
      if (!only(source)) continue;
      const name = findPackage(source) ?? source;
      const known = weights.get(name);
      if (!known) weights.set(name, { bytes, source, heaviest: bytes });
      else
        weights.set(name, {
          bytes: known.bytes + bytes,
          source: bytes > known.heaviest ? source : known.source,
          heaviest: Math.max(bytes, known.heaviest),
        });
    }
  }
  const top = [...weights].sort(([, a], [, b]) => b.bytes - a.bytes).slice(0, maxNamed);
  return top.flatMap(([name, { bytes, source }]) => [
    `${kibibytes(bytes)} ${name}`,
    ...importChain(metafile, entry, source).map(
      (link, depth) => `${'  '.repeat(depth + 1)}${depth === 0 ? '' : 'imports '}${link}`,
    ),
  ]);
}

/** The contents of a file, the heaviest first: its hashed name says nothing. */
function listContents({ graph }: WebBundle, file: string): string {
  const inputs = [...(graph.files.get(file)?.inputs ?? [])]
    .filter(([source]) => !lazyPrefix.test(source))
    .sort(([, a], [, b]) => b - a);
  const names = [...new Set(inputs.map(([source]) => findPackage(source) ?? source))];
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return `${kibibytes(inputs.reduce((total, [, size]) => total + size, 0))} ${names.slice(0, maxNamed).join(', ')}${more}`;
}

/** The package that contains a source. */
function findPackage(source: string): string | undefined {
  return /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
}

export function kibibytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}

function plain(value: number): string {
  return String(value);
}
