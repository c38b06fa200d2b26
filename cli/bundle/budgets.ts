/**
 * What a product may weigh. A bar that is reached is a ratchet: it may only be lowered. Sizes in bytes; `gzip` is the
 * sum of the files, each compressed by itself (level 9).
 */
export interface Budgets {
  /** The login page's scripts: what is fetched before a person can type. */
  readonly signIn: { readonly gzip: number; readonly files: number };
  /**
   * What the app's entry fetches beyond what the login has fetched by the time a person is signed in: axios (21 KiB),
   * which the login fetches after its first paint, counts in neither.
   */
  readonly shell: { readonly gzip: number };
  /** Files that a screen or another lazy part fetches beyond the app's entry. */
  readonly lazy: { readonly files: number };
  /** What one plugin has in the app's entry, minified but not compressed: its table of contents. */
  readonly plugin: { readonly bytes: number };
}

const kibibyte = 1024;

/** The bars of the project. Stretch for the login: 110 KiB. */
export const budgets: Budgets = {
  signIn: { gzip: 150 * kibibyte, files: 8 },
  shell: { gzip: 95 * kibibyte },
  lazy: { files: 4 },
  plugin: { bytes: 6 * kibibyte },
};
