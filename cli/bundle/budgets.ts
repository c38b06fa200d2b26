/**
 * Size limits of a product, which may only be lowered. Sizes are in bytes; `gzip` is the sum of the files, each
 * compressed separately (level 9).
 */
export interface Budgets {
  /** The scripts that the sign-in page loads before a person can type. */
  readonly signIn: { readonly gzip: number; readonly files: number };
  /**
   * The scripts of the app's entry that the sign-in page has not loaded. Excludes axios (21 KiB), which the sign-in
   * page loads after its first paint.
   */
  readonly shell: { readonly gzip: number };
  /** Files that a screen or another lazy part loads beyond the app's entry. */
  readonly lazy: { readonly files: number };
  /** The minified, uncompressed code of one plugin in the app's entry. */
  readonly plugin: { readonly bytes: number };
}

const kibibyte = 1024;

/** The limits of the project. The target for the sign-in page is 110 KiB. */
export const budgets: Budgets = {
  signIn: { gzip: 150 * kibibyte, files: 8 },
  shell: { gzip: 95 * kibibyte },
  lazy: { files: 4 },
  plugin: { bytes: 6 * kibibyte },
};
