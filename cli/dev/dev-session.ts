import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildContext, type BuildContext } from '../bundle/build-context.ts';
import { writeEntries } from '../bundle/entries.ts';
import { coreEntryPoints, type Frame } from '../bundle/frame.ts';
import { CliError, type Problem } from '../cli-error.ts';
import { createBrand } from '../profile/brand.ts';
import { loadPlugins } from '../profile/load-plugins.ts';
import { profileFile, profileName } from '../profile/profile-chain.ts';
import { filesOutside } from '../profile/profile-sources.ts';
import { resolveProfile } from '../profile/resolve-profile.ts';
import type { Brand } from '../profile/resolved-profile.ts';
import { ApiProcess } from './api-process.ts';
import { DevBundle, type DevOutput } from './dev-bundle.ts';
import { devPages } from './dev-pages.ts';
import { DevServer } from './dev-server.ts';
import { DevWeb } from './dev-web.ts';
import { watchSources } from './watch-sources.ts';
import { bundleVendors, type Vendors } from './vendors.ts';

export interface DevOptions {
  readonly root: string;
  readonly profile: string;
  readonly pluginsFolders?: readonly string[];
  readonly frame?: Frame;
  readonly host: string;
  readonly port: number;
  /** Environment of the API's process. Without it no API runs. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly onRebuild: (rebuild: { readonly part: 'web' | 'server'; readonly milliseconds: number }) => void;
  readonly onProblems: (problems: readonly Problem[]) => void;
  /** Formats a problem for the page. */
  readonly describe: (problem: Problem) => string;
}

type Part = 'profile' | 'web' | 'server' | 'api';

/** A loaded profile; reloaded when the profile or a manifest changes. */
interface Loaded {
  readonly context: BuildContext;
  readonly brand: Brand;
  readonly web: DevWeb;
  readonly server: DevBundle;
}

/** A new half or bridge must be added to the entries. */
const halves = /[\\/](?:web|server)[\\/](?:index\.ts$|bridges[\\/])/;

/**
 * A product in development: watches its files, rebuilds in milliseconds, reloads open pages, and restarts the API on
 * changes.
 */
export class DevSession {
  readonly #options: DevOptions;
  readonly #frame: Frame;
  readonly #server: DevServer;
  readonly #api: ApiProcess | undefined;
  readonly #problems: Record<Part, readonly Problem[]> = { profile: [], web: [], server: [], api: [] };
  #loaded: Loaded | undefined;
  #vendors: Vendors | undefined;
  #web: DevOutput | undefined;
  #apiFiles: DevOutput | undefined;
  #pages: ReadonlyMap<string, Uint8Array> = new Map();
  #builds = 0;
  #work: Promise<void> = Promise.resolve();
  #waiting: Set<string> | undefined;
  #stopWatching: () => void = () => undefined;
  /** Files of the profile outside of the project. */
  #outside: readonly string[];
  #stopWatchingOutside: () => void = () => undefined;

  private constructor(options: DevOptions) {
    this.#options = options;
    this.#frame = options.frame ?? coreEntryPoints(options.root);
    const file = profileFile(path.join(options.root, 'profiles'), options.profile);
    this.#outside = path.relative(options.root, file).startsWith('..') ? [file] : [];
    this.#api =
      options.environment &&
      new ApiProcess(path.join(options.root, '.generated', 'dev', profileName(options.profile)), options.environment);
    this.#server = new DevServer(
      async () => (await this.#api?.address) ?? Promise.reject(new Error('There is no API here.')),
    );
  }

  /** Resolves with the session and its address once pages can be opened; the API may still be starting. */
  static async start(options: DevOptions): Promise<{ readonly session: DevSession; readonly address: string }> {
    const session = new DevSession(options);
    await session.#load();
    const address = await session.#server.listen(options.port, options.host);
    session.#stopWatching = watchSources(session.#watched(), (file) => session.#changed(file));
    session.#watchOutside();
    return { session, address };
  }

  /** Resolves when no change is being processed. */
  async settled(): Promise<void> {
    await this.#work;
  }

  async stop(): Promise<void> {
    this.#stopWatching();
    this.#stopWatchingOutside();
    await this.#work;
    await this.#dispose();
    await this.#api?.stop();
    await this.#server.close();
  }

  /** Folders with source files of the product. */
  #watched(): readonly string[] {
    const { root, pluginsFolders = [path.join(root, 'plugins')] } = this.#options;
    return [path.join(root, 'core'), path.join(root, 'profiles'), ...pluginsFolders];
  }

  /** Outside folders may contain anything: only the named files are watched, without subfolders. */
  #watchOutside(): void {
    this.#stopWatchingOutside();
    // A missing file is reported as a problem of the profile.
    const folders = [...new Set(this.#outside.map((file) => path.dirname(file)))].filter((folder) =>
      existsSync(folder),
    );
    this.#stopWatchingOutside = watchSources(
      folders,
      (file) => {
        if (this.#outside.includes(file)) this.#changed(file);
      },
      { recursive: false },
    );
  }

  /** Batches simultaneous changes, as by a branch switch. */
  #changed(file: string): void {
    if (this.#waiting) {
      this.#waiting.add(file);
      return;
    }
    const files = new Set([file]);
    this.#waiting = files;
    this.#work = this.#work.then(async () => {
      this.#waiting = undefined;
      await this.#take(files);
    });
  }

  async #take(files: ReadonlySet<string>): Promise<void> {
    const some = (check: (file: string) => boolean) => [...files].some(check);
    const ofWeb = (file: string) => this.#web?.inputs.has(file) === true;
    const ofServer = (file: string) => this.#apiFiles?.inputs.has(file) === true;
    if (
      !this.#loaded ||
      some((file) => this.#decides(file) || (halves.test(file) && !ofWeb(file) && !ofServer(file)))
    ) {
      await this.#load();
      return;
    }
    // After a failure any change may be the fix.
    if (this.#problems.web.length > 0 || some(ofWeb)) await this.#rebuildWeb(this.#loaded, files);
    if (this.#problems.server.length > 0 || some(ofServer)) await this.#rebuildServer(this.#loaded);
  }

  /** Whether a file affects the generated entries and pages. */
  #decides(file: string): boolean {
    return (
      file.startsWith(path.join(this.#options.root, 'profiles') + path.sep) ||
      this.#outside.includes(file) ||
      file === this.#frame.baseCss ||
      path.basename(file) === 'plugin.ts'
    );
  }

  async #load(): Promise<void> {
    await this.#dispose();
    const { root, profile, pluginsFolders } = this.#options;
    await this.#try('profile', async () => {
      const found = await resolveProfile(root, profile, await loadPlugins(root, pluginsFolders));
      this.#outside = filesOutside(root, found);
      this.#watchOutside();
      // A service worker would keep showing the state before the last change.
      const resolved = { ...found, product: { ...found.product, progressiveWebApp: false } };
      const context = buildContext(
        root,
        resolved,
        this.#frame,
        path.join(root, '.generated', 'dev-entries', resolved.name),
      );
      const [entries, brand] = await Promise.all([writeEntries(context), createBrand(root, resolved)]);
      this.#loaded = {
        context,
        brand,
        web: await DevWeb.open(context, entries),
        server: await DevBundle.server(context, entries),
      };
    });
    if (!this.#loaded) return;
    await this.#rebuildWeb(this.#loaded);
    await this.#rebuildServer(this.#loaded);
  }

  async #rebuildWeb({ web, context, brand }: Loaded, changed?: ReadonlySet<string>): Promise<void> {
    const started = performance.now();
    await this.#try('web', async () => {
      const before = this.#web?.packages.join();
      this.#web = await web.rebuild(changed);
      const milliseconds = performance.now() - started;
      if (this.#pages.size === 0 || this.#web.packages.join() !== before || !this.#vendors) {
        this.#vendors = await bundleVendors(context, this.#web.packages);
        this.#pages = await devPages(context, brand, this.#vendors);
      }
      this.#options.onRebuild({ part: 'web', milliseconds });
    });
  }

  async #rebuildServer({ server }: Loaded): Promise<void> {
    const started = performance.now();
    await this.#try('server', async () => {
      this.#apiFiles = await server.rebuild();
      this.#options.onRebuild({ part: 'server', milliseconds: performance.now() - started });
    });
    if (this.#problems.server.length > 0 || !this.#apiFiles || !this.#api) return;
    const starting = this.#api.restart(this.#apiFiles.files);
    // Pages are usable while the database opens.
    void this.#try('api', () => starting);
  }

  /** Runs the work; a failure is shown in the terminal and in the page until it is fixed. */
  async #try(part: Part, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#problems[part] = [];
    } catch (error) {
      this.#problems[part] =
        error instanceof CliError
          ? error.problems
          : [{ cause: error instanceof Error ? (error.stack ?? error.message) : String(error) }];
      this.#options.onProblems(this.#problems[part]);
    }
    this.#builds += 1;
    const problems = Object.values(this.#problems).flat().map(this.#options.describe);
    this.#server.show({
      files: new Map([...this.#pages, ...(this.#web?.files ?? [])]),
      build: `${process.pid}.${this.#builds}`,
      problems,
    });
  }

  async #dispose(): Promise<void> {
    const loaded = this.#loaded;
    this.#loaded = undefined;
    this.#pages = new Map();
    await Promise.all([loaded?.web.dispose(), loaded?.server.dispose()]);
  }
}
