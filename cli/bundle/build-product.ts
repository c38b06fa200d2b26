import { createHash } from 'node:crypto';
import type { Metafile } from 'esbuild';
import type { ProductProof } from '../../core/common/product-proof.ts';
import { computeDigest } from '../../core/server/product/verify-product.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import type { BuildRecord } from '../product/product-folder.ts';
import { createBrand } from '../profile/brand.ts';
import type { Brand, ResolvedProfile } from '../profile/resolved-profile.ts';
import { buildContext, type BuildContext } from './build-context.ts';
import { budgets as projectBudgets, type Budgets } from './budgets.ts';
import { budgetProblems } from './check-budgets.ts';
import { writeEntries, type Entries } from './entries.ts';
import { Compressor, type Urgency } from './compressor.ts';
import type { Frame } from './frame.ts';
import { bundleHeaders, type BundleHeaders } from './headers.ts';
import { noticesText, shippedPackages } from './notices.ts';
import { renderPages } from './pages.ts';
import { prerenderSignIn, type PrerenderedPage } from './prerender.ts';
import { copiedSources } from './copied-sources.ts';
import { contradictions, prove } from './proof.ts';
import { bundleServer, type ServerBundle } from './server-bundle.ts';
import { createServerLock } from './server-lock.ts';
import { serverManifest } from './server-manifest.ts';
import { bundleServiceWorker } from './service-worker.ts';
import { measure, type Sizes } from './sizes.ts';
import { codeDigest, sourceDigest } from './source-digest.ts';
import { minifyCss, productCss } from './style-sheet.ts';
import { Stopwatch, type Timings } from './stopwatch.ts';
import { bundleWeb, virtualFolder, type WebBundle } from './web-bundle.ts';
import { json, refuseForeignFolder, writeProduct } from './write-product.ts';

export interface BuildRequest {
  /** Absolute path of the project. */
  readonly root: string;
  readonly resolved: ResolvedProfile;
  /** Absolute path of the output folder; an earlier build in it is replaced. */
  readonly out: string;
  readonly frame?: Frame;
  /** Absolute folder of the generated entries. */
  readonly generated?: string;
  readonly budgets?: Budgets;
  /** Base address of the API (http or https) if it is not the page's own origin. */
  readonly apiAddress?: string | undefined;
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
  const { root, resolved, out } = request;
  const watch = new Stopwatch();
  // Checked before the work as well: an unusable folder should fail early.
  await refuseForeignFolder(out);
  const context = buildContext(root, resolved, request.frame, request.generated);
  const entries = await writeEntries(context);
  const digesting = codeDigest(root, resolved);
  const [web, prerendered, server, brand, code] = await Promise.all([
    watch.time('scripts', bundleWeb(context, entries, digesting)),
    watch.time('login page', prerenderSignIn(context, entries.prerender)),
    watch.time('server', bundleServer(context, entries.server)),
    watch.time('brand', createBrand(root, resolved)),
    digesting,
  ]);
  const compressor = new Compressor(context.cache, request.compress ?? true);
  const getUrgency = urgencies(web);
  for (const [path, content] of web.files) compressor.add(path, content, getUrgency(path));
  const pages = await watch.time('pages', createPages(context, web, prerendered, brand, request.apiAddress));
  const files = pages.files;
  for (const [path, content] of files) compressor.add(path, content, getUrgency(path));
  const maps = new Map([
    ...(await web.maps()),
    ...[...server.maps].map(([name, map]) => [`server/${name}`, map] as const),
  ]);
  const sizes = await watch.time(
    'compressed',
    measure(context, web, (path) => compressor.gzipBytes(path)),
  );
  const bundled = proveBuild(context, web, server, prerendered, pages);
  checkBuild(context, web, entries, sizes, bundled, request.budgets ?? projectBudgets);
  const bundles = [web.metafile, ...web.workers, ...pages.workers, prerendered.metafile, server.metafile];
  const outputs = new Map([...prefixed('web', files), ...prefixed('server', server.files)]);
  const copied = await watch.time('copies', copiedSources(context, outputs, bundles, brand.themeCss));
  if (copied.length > 0) throw new CliError(exitCodes.verificationFailed, copied);

  const record: BuildRecord = {
    profile: resolved.name,
    version: resolved.product.version,
    sources: sourceDigest(code, brand),
    entries: { app: web.app, signIn: web.signIn },
  };
  const notices = shippedPackages(root, [web.metafile, ...web.workers, ...pages.workers]);
  const manifest = serverManifest(root, resolved, server.packages);
  const documents = new Map<string, string>([
    ['headers.json', json(pages.headers)],
    ['build.json', json(record)],
    ['notices.txt', noticesText(resolved.product.title, notices)],
    ['server/package.json', json(manifest)],
    ['server/package-lock.json', json(createServerLock(root, manifest))],
  ]);
  const proof = await watch.time(
    'written',
    writeProduct({ out, web: files, server: server.files, maps, documents, proof: bundled, compressor }),
  );
  await context.cache.tidy();
  const proofSha256 = computeDigest(Buffer.from(json(proof))).sha256;
  return { profile: resolved.name, out, timings: watch.stop(), sizes, proof, proofSha256, notes: brand.notes };
}

/** Urgency by script: the login's first, then the app entry's; lazy scripts later. */
function urgencies({ graph, signIn, app }: WebBundle): (path: string) => Urgency {
  const first = new Set(graph.closure(signIn));
  const next = new Set(graph.closure(app));
  return (path) => (first.has(path) || !graph.files.has(path) ? 'first' : next.has(path) ? 'next' : 'later');
}

interface Pages {
  /** All files of the web folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly headers: BundleHeaders;
  /** Of the service worker, if there is one. */
  readonly workers: readonly Metafile[];
}

async function createPages(
  context: BuildContext,
  web: WebBundle,
  prerendered: PrerenderedPage,
  brand: Brand,
  apiAddress: string | undefined,
): Promise<Pages> {
  const content = await productCss(context, brand);
  const css = {
    path: `static/css/product-${createHash('sha256').update(content).digest('hex').slice(0, 8)}.css`,
    content,
  };
  const pages = renderPages({
    context,
    bundle: web,
    brand,
    prerendered: { ...prerendered, css: await minifyCss(prerendered.css) },
    css,
    apiAddress,
  });
  const files = new Map<string, Uint8Array>([
    ...web.files,
    ...brand.files,
    [css.path, Buffer.from(content)],
    ['index.html', Buffer.from(pages['index.html'].html)],
    ['login.html', Buffer.from(pages['login.html'].html)],
  ]);
  const workers: Metafile[] = [];
  if (context.resolved.product.progressiveWebApp) {
    const scripts = new Set([...web.graph.closure(web.app), ...web.graph.closure(web.signIn)]);
    const isShell = (path: string) => scripts.has(path) || !path.startsWith('static/js/');
    const worker = await bundleServiceWorker(context, new Map([...files].filter(([path]) => isShell(path))));
    files.set('sw.js', worker.content);
    workers.push(worker.metafile);
  }
  return {
    files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))),
    headers: bundleHeaders({ 'index.html': pages['index.html'].policy, 'login.html': pages['login.html'].policy }),
    workers,
  };
}

function proveBuild(
  context: BuildContext,
  web: WebBundle,
  server: ServerBundle,
  prerendered: PrerenderedPage,
  pages: Pages,
): ProductProof {
  const under = (folder: string) => (output: string) =>
    output.endsWith('.map') ? [] : [`${folder}/${output.slice(virtualFolder.length + 1)}`];
  const files = new Map([...prefixed('web', pages.files), ...prefixed('server', server.files)]);
  return prove(context, files, [
    { what: 'the scripts of the pages', metafile: web.metafile, listFiles: under('web') },
    ...web.workers.map((metafile) => ({ what: 'a web worker', metafile, listFiles: under('web') })),
    // Its markup is in one page, its first script in both.
    {
      what: 'what is drawn at build',
      metafile: prerendered.metafile,
      listFiles: () => ['web/index.html', 'web/login.html'],
    },
    ...pages.workers.map((metafile) => ({
      what: 'the worker of the progressive web app',
      metafile,
      listFiles: () => ['web/sw.js'],
    })),
    { what: 'the server', metafile: server.metafile, listFiles: under('server') },
  ]);
}

function prefixed(folder: string, files: ReadonlyMap<string, Uint8Array>): readonly (readonly [string, Uint8Array])[] {
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
  const wrong = contradictions(proof);
  if (wrong.length > 0)
    throw new CliError(
      exitCodes.verificationFailed,
      wrong.map((cause) => ({ cause })),
    );
  if (web.graph.reach(web.signIn).includes(web.app)) {
    throw new CliError(exitCodes.budgetExceeded, [
      {
        cause: 'The login page can load the whole app as a part of itself.',
        remedy: 'Lead from the login to the app by address, not by an `import()`.',
      },
    ]);
  }
  const problems = budgetProblems(context, web, entries, sizes, budgets);
  if (problems.length > 0) throw new CliError(exitCodes.budgetExceeded, problems);
}
