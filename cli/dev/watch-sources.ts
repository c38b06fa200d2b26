import { watch, type FSWatcher } from 'node:fs';
import path from 'node:path';

const ignoredFiles = /\.test\.tsx?$|~$|\.swp$|(?:^|[\\/])\.[^\\/]*$/;

/**
 * Calls `onChange` with the absolute path of each file in the folders that is written, created or deleted. Returns a
 * function that stops watching.
 */
export function watchSources(
  folders: readonly string[],
  onChange: (file: string) => void,
  { recursive = true }: { readonly recursive?: boolean } = {},
): () => void {
  const watchers = new Map<string, FSWatcher>();
  const startWatching = (folder: string): void => {
    const watcher = watch(folder, { recursive }, (_, name) => {
      if (name !== null && path.extname(name) !== '' && !ignoredFiles.test(name)) onChange(path.join(folder, name));
    });
    // Node fails if a folder disappears while it is scanned. The watch starts again on the remaining files.
    watcher.on('error', () => {
      watcher.close();
      if (watchers.get(folder) === watcher) startWatching(folder);
    });
    watchers.set(folder, watcher);
  };
  folders.forEach(startWatching);
  return () => {
    const openWatchers = [...watchers.values()];
    watchers.clear();
    for (const watcher of openWatchers) watcher.close();
  };
}
