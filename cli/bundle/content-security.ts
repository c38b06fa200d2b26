import { createHash } from 'node:crypto';

/** For `integrity` attributes and import maps (W3C, Subresource Integrity). */
export function integrityOf(content: Uint8Array | string): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`;
}

/** The source expression that allows one inline script or style (W3C, Content Security Policy). */
export function inlineHash(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

export interface PolicyNeeds {
  /** Texts of the page's inline scripts: its import map. */
  readonly inlineScripts: readonly string[];
  /** Texts of the page's inline styles. */
  readonly inlineStyles: readonly string[];
  /** Decoders of point clouds and models run as WebAssembly. */
  readonly webAssembly: boolean;
  /** Origins beside the page's own that the browser may call and fetch pictures from. */
  readonly connect: readonly string[];
}

/** Plugins whose decoders are WebAssembly. */
const webAssemblyPlugins = ['scan', 'model-3d'];

export function needsWebAssembly(enabled: readonly string[]): boolean {
  return enabled.some((id) => webAssemblyPlugins.includes(id));
}

/** `frame-ancestors` and the like count only in a header: a page's own meta element is given what is left without them. */
const headerOnly = ["frame-ancestors 'none'"];

/**
 * The content security policy of one page: no `unsafe-inline`, no `unsafe-eval`.
 * Fluent's styles are empty elements filled by script: the hash of the empty text allows these and no others.
 */
export function contentSecurityPolicy(needs: PolicyNeeds): { readonly header: string; readonly meta: string } {
  const scripts = ["'self'", ...needs.inlineScripts.map(inlineHash), ...(needs.webAssembly ? ["'wasm-unsafe-eval'"] : [])];
  const styles = ["'self'", inlineHash(''), ...needs.inlineStyles.map(inlineHash)];
  const directives = [
    "default-src 'none'",
    `script-src ${scripts.join(' ')}`,
    `style-src ${styles.join(' ')}`,
    `img-src ${["'self'", ...needs.connect].join(' ')} data: blob:`,
    `media-src ${["'self'", ...needs.connect].join(' ')} blob:`,
    "font-src 'self'",
    `connect-src ${["'self'", ...needs.connect].join(' ')}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
  ];
  return { header: [...directives, ...headerOnly].join('; '), meta: directives.join('; ') };
}
