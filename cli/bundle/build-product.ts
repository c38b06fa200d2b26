import { createHash } from 'node:crypto';
import type { Metafile } from 'esbuild';
import type { ProductProof } from '../../core/common/product-proof.ts';
import { computeDigest } from '../../core/server/product/verify-product.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import type { BuildRecord } from '../product/product-folder.ts';
import { createBrand } from '../profile/brand.ts';
import type { Brand, ResolvedProfile } from '../profile/resolved-profile.ts';
import { createBuildContext, type BuildContext } from './build-context.ts';
import { budgets as projectBudgets, type Budgets } from './budgets.ts';
import { findBudgetProblems } from './check-budgets.ts';
import { writeEntries, type Entries } from './entries.ts';
import { Compressor, type Urgency } from './compressor.ts';
import type { CoreEntryPoints } from './core-entry-points.ts';
import { createBundleHeaders, type BundleHeaders } from './headers.ts';
import { formatNotices, listShippedPackages } from './notices.ts';
import { renderPages } from './pages.ts';
import { prerenderSignIn, type PrerenderedPage } from './prerender.ts';
import { findCopiedSources } from './copied-sources.ts';
import { findContradictions, createProof } from './proof.ts';
import { bundleServer, type ServerBundle } from './server-bundle.ts';
import { createServerLock } from './server-lock.ts';
import { createServerManifest } from './server-manifest.ts';
import { bundleServiceWorker } from './service-worker.ts';
import { measureSizes, type Sizes } from './sizes.ts';
import { computeCodeDigest, computeSourceDigest } from './source-digest.ts';
import { minifyCss, createProductCss } from './style-sheet.ts';
import { Stopwatch, type Timings } from './stopwatch.ts';
import { bundleWeb, virtualFolder, type WebBundle } from './web-bundle.ts';
import { formatJson, assertReplaceable, writeProduct } from './write-product.ts';

export interface BuildRequest {
  /** Absolute path of the project. */
  readonly root: string;
  readonly resolvedProfile: ResolvedProfile;
  /** Absolute path of the output folder; an earlier build in it is replaced. */
  readonly out: string;
  readonly core?: CoreEntryPoints;
  /** Absolute folder of the generated entries. */
  readonly entriesFolder?: string;
  readonly budgets?: Budgets;
  /** Base URL of the API (http or https) if it is not the page's own origin. */
  readonly apiUrl?: string | undefined;
  /** Whether to write `.br` and `.gz` variants of compressible files. */
  readonly compress?: boolean;
}

export interface BuildReport {
  readonly profile: string;
  readonly out: string;
  readonly timings: Timings;
  readonly sizes: Sizes;
  readonly proof: ProductProof;
  /** SHA-256 of `proof.json`, to be stored separately from the product. */
  readonly proofSha256: string;
  /** Messages for the person who builds, such as a brand colour that was darkened. */
  readonly notes: readonly string[];
}

/**
 * Builds a product from a resolved profile.
 *
 * @throws CliError 2 if `out` must not be replaced, 4 if something fails to build or is not allowed, 5 if a budget is
 *   exceeded, 6 if the proof contradicts the profile
 */
export async function buildProduct(request: BuildRequest): Promise<BuildReport> {
  const { root, resolvedProfile, out } = request;
  const stopwatch = new Stopwatch();
  // The folder is checked again when it is written. This check fails before the build.
  await assertReplaceable(out);
  const context = createBuildContext(root, resolvedProfile, request.core, request.entriesFolder);
  const entries = await writeEntries(context);
  const pendingDigest = computeCodeDigest(root, resolvedProfile);
  const [web, prerendered, server, brand, codeDigest] = await Promise.all([
    stopwatch.time('scripts', bundleWeb(context, entries, pendingDigest)),
    stopwatch.time('sign-in page', prerenderSignIn(context, entries.prerender)),
    stopwatch.time('server', bundleServer(context, entries.server)),
    stopwatch.time('brand', createBrand(root, resolvedProfile)),
    pendingDigest,
  ]);
  const compressor = new Compressor(context.cache, request.compress ?? true);
  const getUrgency = createUrgencyLookup(web);
  for (const [path, content] of web.files) compressor.add(path, content, getUrgency(path));
  const pages = await stopwatch.time('pages', createPages(context, web, prerendered, brand, request.apiUrl));
  const files = pages.files;
  for (const [path, content] of files) compressor.add(path, content, getUrgency(path));
  const maps = new Map([
    ...(await web.joinSourceMaps()),
    ...[...server.maps].map(([name, map]) => [`server/${name}`, map] as const),
  ]);
  const sizes = await stopwatch.time(
    'compressed',
    measureSizes(context, web, (path) => compressor.getGzipBytes(path)),
  );
  const bundlerProof = createBuildProof(context, web, server, prerendered, pages);
  checkBuild(context, web, entries, sizes, bundlerProof, request.budgets ?? projectBudgets);
  const bundles = [web.metafile, ...web.workers, ...pages.workers, prerendered.metafile, server.metafile];
  const outputs = new Map([...prefixPaths('web', files), ...prefixPaths('server', server.files)]);
  const copyProblems = await stopwatch.time('copies', findCopiedSources(context, outputs, bundles, brand.themeCss));
  if (copyProblems.length > 0) throw new CliError(exitCodes.verificationFailed, copyProblems);

  const record: BuildRecord = {
    profile: resolvedProfile.name,
    version: resolvedProfile.product.version,
    sources: computeSourceDigest(codeDigest, brand),
    entries: { app: web.app, signIn: web.signIn },
  };
  const notices = listShippedPackages(root, [web.metafile, ...web.workers, ...pages.workers]);
  const manifest = createServerManifest(root, resolvedProfile, server.packages);
  const rootFiles = new Map<string, string>([
    ['headers.json', formatJson(pages.headers)],
    ['build.json', formatJson(record)],
    ['notices.txt', formatNotices(resolvedProfile.product.title, notices)],
    ['server/package.json', formatJson(manifest)],
    ['server/package-lock.json', formatJson(createServerLock(root, manifest))],
  ]);
  const proof = await stopwatch.time(
    'written',
    writeProduct({ out, web: files, server: server.files, maps, rootFiles, proof: bundlerProof, compressor }),
  );
  await context.cache.removeOldResults();
  const proofSha256 = computeDigest(Buffer.from(formatJson(proof))).sha256;
  return {
    profile: resolvedProfile.name,
    out,
    timings: stopwatch.stop(),
    sizes,
    proof,
    proofSha256,
    notes: brand.notes,
  };
}

/** Returns the urgency of a file: scripts of the sign-in page are first, then those of the app's entry, then lazy ones. */
function createUrgencyLookup({ graph, signIn, app }: WebBundle): (path: string) => Urgency {
  const firstScripts = new Set(graph.listStaticClosure(signIn));
  const nextScripts = new Set(graph.listStaticClosure(app));
  return (path) => {
    if (firstScripts.has(path) || !graph.files.has(path)) return 'first';
    return nextScripts.has(path) ? 'next' : 'later';
  };
}

interface Pages {
  /** All files of the web folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly headers: BundleHeaders;
  /** The metafile of the service worker's bundle, if the product has one. */
  readonly workers: readonly Metafile[];
}

async function createPages(
  context: BuildContext,
  web: WebBundle,
  prerenderedPage: PrerenderedPage,
  brand: Brand,
  apiUrl: string | undefined,
): Promise<Pages> {
  const content = await createProductCss(context, brand);
  const css = {
    path: `static/css/product-${createHash('sha256').update(content).digest('hex').slice(0, 8)}.css`,
    content,
  };
  const pages = renderPages({
    context,
    bundle: web,
    brand,
    prerendered: { ...prerenderedPage, css: await minifyCss(prerenderedPage.css) },
    css,
    apiUrl,
  });
  const files = new Map<string, Uint8Array>([
    ...web.files,
    ...brand.files,
    [css.path, Buffer.from(content)],
    ['index.html', Buffer.from(pages['index.html'].html)],
    ['login.html', Buffer.from(pages['login.html'].html)],
  ]);
  const workers: Metafile[] = [];
  if (context.resolvedProfile.product.progressiveWebApp) {
    const scripts = new Set([...web.graph.listStaticClosure(web.app), ...web.graph.listStaticClosure(web.signIn)]);
    const isShell = (path: string) => scripts.has(path) || !path.startsWith('static/js/');
    const worker = await bundleServiceWorker(context, new Map([...files].filter(([path]) => isShell(path))));
    files.set('sw.js', worker.content);
    workers.push(worker.metafile);
  }
  return {
    files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))),
    headers: createBundleHeaders({
      'index.html': pages['index.html'].policy,
      'login.html': pages['login.html'].policy,
    }),
    workers,
  };
}

function createBuildProof(
  context: BuildContext,
  web: WebBundle,
  server: ServerBundle,
  prerenderedPage: PrerenderedPage,
  pages: Pages,
): ProductProof {
  const toProductPaths = (folder: string) => (output: string) =>
    output.endsWith('.map') ? [] : [`${folder}/${output.slice(virtualFolder.length + 1)}`];
  const files = new Map([...prefixPaths('web', pages.files), ...prefixPaths('server', server.files)]);
  return createProof(context, files, [
    { label: 'the scripts of the pages', metafile: web.metafile, listFiles: toProductPaths('web') },
    ...web.workers.map((metafile) => ({ label: 'a web worker', metafile, listFiles: toProductPaths('web') })),
    // The markup is in the sign-in page, the first script in both pages.
    {
      label: 'the prerendered page',
      metafile: prerenderedPage.metafile,
      listFiles: () => ['web/index.html', 'web/login.html'],
    },
    ...pages.workers.map((metafile) => ({
      label: 'the worker of the progressive web app',
      metafile,
      listFiles: () => ['web/sw.js'],
    })),
    { label: 'the server', metafile: server.metafile, listFiles: toProductPaths('server') },
  ]);
}

function prefixPaths(
  folder: string,
  files: ReadonlyMap<string, Uint8Array>,
): readonly (readonly [string, Uint8Array])[] {
  return [...files].map(([path, content]) => [`${folder}/${path}`, content] as const);
}

function checkBuild(
  context: BuildContext,
  web: WebBundle,
  entries: Entries,
  sizes: Sizes,
  proof: ProductProof,
  budgets: Budgets,
): void {
  const contradictions = findContradictions(proof);
  if (contradictions.length > 0)
    throw new CliError(
      exitCodes.verificationFailed,
      contradictions.map((cause) => ({ cause })),
    );
  if (web.graph.listReachable(web.signIn).includes(web.app)) {
    throw new CliError(exitCodes.budgetExceeded, [
      {
        cause: 'The sign-in page can load the whole app by an `import()`.',
        remedy: 'Navigate from the sign-in page to the URL of the app instead.',
      },
    ]);
  }
  const problems = findBudgetProblems(context, web, entries, sizes, budgets);
  if (problems.length > 0) throw new CliError(exitCodes.budgetExceeded, problems);
}
