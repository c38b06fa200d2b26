import { createHash } from 'node:crypto';
import type { ResolvedProfile } from '../profile/resolved-profile.ts';

/** Computes the hash for `integrity` attributes and import maps (W3C, Subresource Integrity). */
export function computeIntegrity(content: Uint8Array | string): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`;
}

/** The source expression that allows one inline script or style (W3C, Content Security Policy). */
export function computeInlineHash(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

export interface PolicyNeeds {
  /** Texts of the page's inline scripts, such as its import map. */
  readonly inlineScripts: readonly string[];
  /** Texts of the page's inline styles. */
  readonly inlineStyles: readonly string[];
  /** Whether the page uses WebAssembly, as decoders of point clouds and models do. */
  readonly webAssembly: boolean;
  /** Further origins that the browser may call and load images from. */
  readonly connectOrigins: readonly string[];
  /** Further sources from settings of the profile, by directive. */
  readonly additionalSources?: AdditionalSources;
}

export type AdditionalSources = ReadonlyMap<string, readonly string[]>;

/** Plugins with WebAssembly decoders. */
const webAssemblyPlugins = ['scan', 'model-3d'];

export function needsWebAssembly(enabledIds: readonly string[]): boolean {
  return enabledIds.some((id) => webAssemblyPlugins.includes(id));
}

/**
 * Lists the sources that settings of the profile need. The schema of a setting that is a URL may have
 * `contentSecurity`, a list of directives. Each directive gets the origin of the URL, or the source that follows the
 * directive, as in `worker-src blob:`.
 */
export function listAdditionalSources({
  enabled,
  plugins,
  settings,
}: Pick<ResolvedProfile, 'enabled' | 'plugins' | 'settings'>): AdditionalSources {
  const sourcesByDirective = new Map<string, string[]>();
  const visit = (schema: unknown, value: unknown): void => {
    if (typeof schema !== 'object' || schema === null || value === undefined) return;
    const { contentSecurity, properties } = schema as {
      readonly contentSecurity?: readonly string[];
      readonly properties?: Readonly<Record<string, unknown>>;
    };
    if (typeof value === 'string') {
      for (const entry of contentSecurity ?? []) {
        const [directive = '', source = new URL(value).origin] = entry.split(' ');
        sourcesByDirective.set(directive, [...new Set([...(sourcesByDirective.get(directive) ?? []), source])].sort());
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, propertySchema] of Object.entries(properties ?? {}))
        visit(propertySchema, (value as Readonly<Record<string, unknown>>)[name]);
    }
  };
  for (const id of enabled) visit(plugins.get(id)?.manifest.settings, settings[id]);
  return sourcesByDirective;
}

/** Directives that browsers ignore in a meta element. */
const headerDirectives = ["frame-ancestors 'none'"];

/**
 * The content security policy of a page, without `unsafe-inline` and `unsafe-eval`. Fluent fills empty style elements
 * by script: the hash of the empty text allows only these.
 */
export function createContentSecurityPolicy(needs: PolicyNeeds): { readonly header: string; readonly meta: string } {
  const scripts = [
    "'self'",
    ...needs.inlineScripts.map(computeInlineHash),
    ...(needs.webAssembly ? ["'wasm-unsafe-eval'"] : []),
  ];
  const styles = ["'self'", computeInlineHash(''), ...needs.inlineStyles.map(computeInlineHash)];
  const getAdditionalSources = (directive: string): readonly string[] => needs.additionalSources?.get(directive) ?? [];
  const directives = [
    "default-src 'none'",
    `script-src ${[...scripts, ...getAdditionalSources('script-src')].join(' ')}`,
    `style-src ${[...styles, ...getAdditionalSources('style-src')].join(' ')}`,
    `img-src ${["'self'", ...needs.connectOrigins, ...getAdditionalSources('img-src')].join(' ')} data: blob:`,
    `media-src ${["'self'", ...needs.connectOrigins].join(' ')} blob:`,
    ["font-src 'self'", ...getAdditionalSources('font-src')].join(' '),
    `connect-src ${["'self'", ...needs.connectOrigins, ...getAdditionalSources('connect-src')].join(' ')}`,
    ["worker-src 'self'", ...getAdditionalSources('worker-src')].join(' '),
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
  ];
  return { header: [...directives, ...headerDirectives].join('; '), meta: directives.join('; ') };
}
