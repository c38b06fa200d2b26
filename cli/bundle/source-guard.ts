import { existsSync } from 'node:fs';
import type { OnResolveArgs, OnResolveResult, Plugin } from 'esbuild';
import type { ResolvedProfile } from '../profile/resolved-profile.ts';
import type { OwnSources } from './own-sources.ts';

export type Runtime = 'web' | 'server';

/** Own imports: by a name of package.json, or with the extension that the house demands. Packages are none of the guard's business, and cost no call. */
const ownImport = /^#|^\..*\.(?:tsx?|json|css|svg|png|jpe?g|webp|mp4|wasm)$/;
const styles = /\.css$/;
/** What pages and screens share: core's common and browser parts, and the plugins' contracts. */
const keptBarrel = /^(?:core\/common|core\/web|contract)\/index\.ts$/;

/**
 * The fourth wall: resolves every own import, and fails the build at the import that lets in what does not belong: any file of a plugin
 * that is off, even its contract; a server file in the browser or the other way round; the CLI, tests, and what only builds need.
 */
export class SourceGuard {
  readonly #sources: OwnSources;
  readonly #resolved: Pick<ResolvedProfile, 'name' | 'disabled'>;
  readonly #runtime: Runtime;
  /** Who first imported a file. */
  readonly #importers = new Map<string, string>();
  readonly #seen = new Set<string>();

  constructor(sources: OwnSources, resolved: Pick<ResolvedProfile, 'name' | 'disabled'>, runtime: Runtime) {
    this.#sources = sources;
    this.#resolved = resolved;
    this.#runtime = runtime;
  }

  /** How many own files it has looked at: a guard that saw none guards nothing. */
  get examined(): number {
    return this.#seen.size;
  }

  /** The files from an entry to `file`, each of which imports the next. */
  chainTo(file: string): readonly string[] {
    const chain = [file];
    for (let at = this.#importers.get(file); at !== undefined && !chain.includes(at); at = this.#importers.get(at)) chain.unshift(at);
    return chain.map((link) => this.#sources.display(link));
  }

  /** One sentence on why the file may not be in this bundle. */
  problemOf(file: string): string | undefined {
    const owner = this.#sources.ownerOf(file);
    const shown = this.#sources.display(file);
    if (owner !== undefined && this.#resolved.disabled.includes(owner)) return `'${shown}' belongs to the plugin '${owner}', which the profile '${this.#resolved.name}' turns off.`;
    const part = this.#sources.partOf(file);
    const other = this.#runtime === 'web' ? 'server' : 'web';
    if (part.startsWith(owner === undefined ? `core/${other}/` : `${other}/`)) return `'${shown}' is ${other === 'web' ? 'browser' : 'server'} code.`;
    if (owner === undefined && /^(?:cli|core\/testing)\//.test(part)) return `'${shown}' belongs to no product: it serves builds and tests.`;
    if (/\.test\.tsx?$/.test(part)) return `'${shown}' is a test.`;
    return undefined;
  }

  /**
   * Put before every plugin that resolves.
   *
   * @param lazy takes over an `import()` of an own file that may be in the bundle
   */
  plugin(lazy: (file: string, importer: string) => OnResolveResult | undefined = () => undefined): Plugin {
    return {
      name: 'source-guard',
      setup: (build) => {
        build.onResolve({ filter: ownImport }, (args) => this.#onResolve(args, lazy));
        // TypeBox comes in by a value import of a contract's api.ts, which the browser takes as a type only.
        if (this.#runtime === 'web') build.onResolve({ filter: /^typebox(?:\/|$)/ }, (args) => this.#refusal(args, args.importer, 'TypeBox, which weighs 77 kB, gets into the browser.', "Take what describes endpoints and settings as a type: 'import type'."));
      },
    };
  }

  #onResolve(args: OnResolveArgs, lazy: (file: string, importer: string) => OnResolveResult | undefined): OnResolveResult | undefined {
    if (args.importer !== '' && !this.#sources.isOwn(args.importer)) return undefined;
    const file = this.#sources.resolve(args.path, args.resolveDir);
    if (file === undefined) return undefined;
    this.#seen.add(file);
    // What stands between an `import()` and its file is no importer of its own.
    if (!this.#importers.has(file) && args.importer !== '' && args.namespace === 'file') this.#importers.set(file, args.importer);
    const problem = this.problemOf(file);
    if (problem !== undefined) return this.#refusal(args, file, problem, `Take the import out of '${this.#sources.display(args.importer)}', or meet the other by an extension point or a bridge.`);
    if (!existsSync(file)) return this.#refusal(args, file, `There is no file '${this.#sources.display(file)}'.`, 'Write it, or mend the path.');
    const taken = args.kind === 'dynamic-import' ? lazy(file, args.importer) : undefined;
    if (taken) return taken;
    return { path: file, sideEffects: args.kind === 'entry-point' || this.#stays(file) };
  }

  /** No own module does anything when it is merely imported: only what is used of it stays. A barrel that stays keeps what is used of it together, in the first download of the page that imports it. */
  #stays(file: string): boolean {
    return styles.test(file) || this.#sources.display(file).startsWith('.generated/') || keptBarrel.test(this.#sources.partOf(file));
  }

  #refusal(args: OnResolveArgs, file: string, text: string, wayOut: string): OnResolveResult {
    if (!this.#importers.has(file) && args.importer !== '' && file !== args.importer) this.#importers.set(file, args.importer);
    return { errors: [{ text, detail: { chain: this.chainTo(file), wayOut } }] };
  }
}
