/**
 * Size limits of a product. Limits may only be lowered. Sizes in bytes; `gzip` is the sum of the files, each compressed
 * separately (level 9).
 */
export interface Budgets {
  /** The login page's scripts: loaded before a person can type. */
  readonly signIn: { readonly gzip: number; readonly files: number };
  /**
   * What the app's entry loads beyond what the login has loaded until sign-in. Excludes axios (21 KiB), which the login
   * loads after its first paint.
   */
  readonly shell: { readonly gzip: number };
  /** Files that a screen or another lazy part loads beyond the app's entry. */
  readonly lazy: { readonly files: number };
  /** A plugin's part of the app's entry, minified but uncompressed. */
  readonly plugin: { readonly bytes: number };
}

const kibibyte = 1024;

/** The limits of the project. Target for the login: 110 KiB. */
export const budgets: Budgets = {
  signIn: { gzip: 150 * kibibyte, files: 8 },
  shell: { gzip: 95 * kibibyte },
  lazy: { files: 4 },
  plugin: { bytes: 6 * kibibyte },
};
