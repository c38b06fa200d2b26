import { existsSync } from 'node:fs';
import path from 'node:path';
import { createBuildContext, type BuildContext } from '../bundle/build-context.ts';
import { writeEntries } from '../bundle/entries.ts';
import { coreEntryPoints, type CoreEntryPoints } from '../bundle/core-entry-points.ts';
import { CliError, type Problem } from '../cli-error.ts';
import { createBrand } from '../profile/brand.ts';
import { loadPlugins } from '../profile/load-plugins.ts';
import { resolveProfileFile, getProfileName } from '../profile/profile-chain.ts';
import { listOutsideFiles } from '../profile/profile-sources.ts';
import { resolveProfile } from '../profile/resolve-profile.ts';
import type { Brand } from '../profile/resolved-profile.ts';
import { ApiProcess } from './api-process.ts';
import { DevBundle, type DevOutput } from './dev-bundle.ts';
import { createDevPages } from './dev-pages.ts';
import { DevServer } from './dev-server.ts';
import { DevWeb } from './dev-web.ts';
import { watchSources } from './watch-sources.ts';
import { bundleVendors, type Vendors } from './vendors.ts';

export interface DevOptions {
  readonly root: string;
  readonly profile: string;
  readonly pluginsFolders?: readonly string[];
  readonly core?: CoreEntryPoints;
  readonly host: string;
  readonly port: number;
  /** Environment of the API process. If it is undefined, no API runs. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly onRebuild: (rebuild: { readonly part: 'web' | 'server'; readonly milliseconds: number }) => void;
  readonly onProblems: (problems: readonly Problem[]) => void;
  /** Formats a problem for the page. */
  readonly describeProblem: (problem: Problem) => string;
}

type DevPart = 'profile' | 'web' | 'server' | 'api';

/** A loaded profile. It is loaded again when the profile or a manifest changes. */
interface LoadedProfile {
  readonly context: BuildContext;
  readonly brand: Brand;
  readonly web: DevWeb;
  readonly server: DevBundle;
}

/** Matches halves and bridges of plugins. The entries must import a new one. */
const halfOrBridge = /[\\/](?:web|server)[\\/](?:index\.ts$|bridges[\\/])/;

/**
 * Runs a product in development. After a change it rebuilds the bundles in milliseconds, reloads open pages and
 * restarts the API.
 */
export class DevSession {
  readonly #options: DevOptions;
  readonly #core: CoreEntryPoints;
  readonly #server: DevServer;
  readonly #api: ApiProcess | undefined;
  readonly #problems: Record<DevPart, readonly Problem[]> = { profile: [], web: [], server: [], api: [] };
  #loadedProfile: LoadedProfile | undefined;
  #vendors: Vendors | undefined;
  #webOutput: DevOutput | undefined;
  #serverOutput: DevOutput | undefined;
  #pages: ReadonlyMap<string, Uint8Array> = new Map();
  #buildCount = 0;
  #pendingWork: Promise<void> = Promise.resolve();
  #pendingFiles: Set<string> | undefined;
  #stopWatching: () => void = () => undefined;
  /** Files of the profile outside of the project. */
  #outsideFiles: readonly string[];
  #stopWatchingOutside: () => void = () => undefined;

  private constructor(options: DevOptions) {
    this.#options = options;
    this.#core = options.core ?? coreEntryPoints(options.root);
    const file = resolveProfileFile(path.join(options.root, 'profiles'), options.profile);
    this.#outsideFiles = path.relative(options.root, file).startsWith('..') ? [file] : [];
    this.#api =
      options.environment &&
      new ApiProcess(
        path.join(options.root, '.generated', 'dev', getProfileName(options.profile)),
        options.environment,
      );
    this.#server = new DevServer(
      async () => (await this.#api?.url) ?? Promise.reject(new Error('This session runs no API.')),
    );
  }

  /** Resolves with the session and its URL once pages can be opened; the API may still be starting. */
  static async start(options: DevOptions): Promise<{ readonly session: DevSession; readonly url: string }> {
    const session = new DevSession(options);
    await session.#load();
    const url = await session.#server.listen(options.port, options.host);
    session.#stopWatching = watchSources(session.#listWatchedFolders(), (file) => session.#handleChange(file));
    session.#watchOutside();
    return { session, url };
  }

  /** Resolves when no change is being processed. */
  async waitForChanges(): Promise<void> {
    await this.#pendingWork;
  }

  async stop(): Promise<void> {
    this.#stopWatching();
    this.#stopWatchingOutside();
    await this.#pendingWork;
    await this.#dispose();
    await this.#api?.stop();
    await this.#server.close();
  }

  /** Folders with source files of the product. */
  #listWatchedFolders(): readonly string[] {
    const { root, pluginsFolders = [path.join(root, 'plugins')] } = this.#options;
    return [path.join(root, 'core'), path.join(root, 'profiles'), ...pluginsFolders];
  }

  /** Watches only the named files in folders outside of the project, because these may contain anything. */
  #watchOutside(): void {
    this.#stopWatchingOutside();
    // Missing folders are left out. The profile reports their files as missing.
    const folders = [...new Set(this.#outsideFiles.map((file) => path.dirname(file)))].filter((folder) =>
      existsSync(folder),
    );
    this.#stopWatchingOutside = watchSources(
      folders,
      (file) => {
        if (this.#outsideFiles.includes(file)) this.#handleChange(file);
      },
      { recursive: false },
    );
  }

  /** Processes simultaneous changes together, such as those of a branch switch. */
  #handleChange(file: string): void {
    if (this.#pendingFiles) {
      this.#pendingFiles.add(file);
      return;
    }
    const files = new Set([file]);
    this.#pendingFiles = files;
    this.#pendingWork = this.#pendingWork.then(async () => {
      this.#pendingFiles = undefined;
      await this.#processChanges(files);
    });
  }

  async #processChanges(files: ReadonlySet<string>): Promise<void> {
    const hasFile = (check: (file: string) => boolean) => [...files].some(check);
    const isWebInput = (file: string) => this.#webOutput?.inputs.has(file) === true;
    const isServerInput = (file: string) => this.#serverOutput?.inputs.has(file) === true;
    if (
      !this.#loadedProfile ||
      hasFile(
        (file) => this.#affectsEntries(file) || (halfOrBridge.test(file) && !isWebInput(file) && !isServerInput(file)),
      )
    ) {
      await this.#load();
      return;
    }
    // After a failure any change may be the correction.
    if (this.#problems.web.length > 0 || hasFile(isWebInput)) await this.#rebuildWeb(this.#loadedProfile, files);
    if (this.#problems.server.length > 0 || hasFile(isServerInput)) await this.#rebuildServer(this.#loadedProfile);
  }

  /** Whether a file affects the generated entries and pages. */
  #affectsEntries(file: string): boolean {
    return (
      file.startsWith(path.join(this.#options.root, 'profiles') + path.sep) ||
      this.#outsideFiles.includes(file) ||
      file === this.#core.baseCss ||
      path.basename(file) === 'plugin.ts'
    );
  }

  async #load(): Promise<void> {
    await this.#dispose();
    const { root, profile, pluginsFolders } = this.#options;
    await this.#runPart('profile', async () => {
      const resolvedProfile = await resolveProfile(root, profile, await loadPlugins(root, pluginsFolders));
      this.#outsideFiles = listOutsideFiles(root, resolvedProfile);
      this.#watchOutside();
      // A service worker would show the state before the last change.
      const devProfile = { ...resolvedProfile, product: { ...resolvedProfile.product, progressiveWebApp: false } };
      const context = createBuildContext(
        root,
        devProfile,
        this.#core,
        path.join(root, '.generated', 'dev-entries', devProfile.name),
      );
      const [entries, brand] = await Promise.all([writeEntries(context), createBrand(root, devProfile)]);
      this.#loadedProfile = {
        context,
        brand,
        web: await DevWeb.open(context, entries),
        server: await DevBundle.openServer(context, entries),
      };
    });
    if (!this.#loadedProfile) return;
    await this.#rebuildWeb(this.#loadedProfile);
    await this.#rebuildServer(this.#loadedProfile);
  }

  async #rebuildWeb({ web, context, brand }: LoadedProfile, changedFiles?: ReadonlySet<string>): Promise<void> {
    const startedAt = performance.now();
    await this.#runPart('web', async () => {
      const previousPackages = this.#webOutput?.packages.join();
      this.#webOutput = await web.rebuild(changedFiles);
      const milliseconds = performance.now() - startedAt;
      if (this.#pages.size === 0 || this.#webOutput.packages.join() !== previousPackages || !this.#vendors) {
        this.#vendors = await bundleVendors(context, this.#webOutput.packages);
        this.#pages = await createDevPages(context, brand, this.#vendors);
      }
      this.#options.onRebuild({ part: 'web', milliseconds });
    });
  }

  async #rebuildServer({ server }: LoadedProfile): Promise<void> {
    const startedAt = performance.now();
    await this.#runPart('server', async () => {
      this.#serverOutput = await server.rebuild();
      this.#options.onRebuild({ part: 'server', milliseconds: performance.now() - startedAt });
    });
    if (this.#problems.server.length > 0 || !this.#serverOutput || !this.#api) return;
    const apiStart = this.#api.restart(this.#serverOutput.files);
    // Pages are usable while the database opens.
    void this.#runPart('api', () => apiStart);
  }

  /** Runs the work of one part. Shows a failure in the terminal, and in the pages until the part succeeds. */
  async #runPart(part: DevPart, work: () => Promise<void>): Promise<void> {
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
    this.#buildCount += 1;
    const problems = Object.values(this.#problems).flat().map(this.#options.describeProblem);
    this.#server.setState({
      files: new Map([...this.#pages, ...(this.#webOutput?.files ?? [])]),
      build: `${process.pid}.${this.#buildCount}`,
      problems,
    });
  }

  async #dispose(): Promise<void> {
    const loadedProfile = this.#loadedProfile;
    this.#loadedProfile = undefined;
    this.#pages = new Map();
    await Promise.all([loadedProfile?.web.dispose(), loadedProfile?.server.dispose()]);
  }
}
