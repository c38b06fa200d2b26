import { watch, type FSWatcher } from 'node:fs';
import path from 'node:path';

const indifferent = /\.test\.tsx?$|~$|\.swp$|(?:^|[\\/])\.[^\\/]*$/;

/**
 * Calls `onChange` with the absolute path of each file in the folders that is written, made or taken away. Returns what
 * ends it.
 */
export function watchSources(
  folders: readonly string[],
  onChange: (file: string) => void,
  { recursive = true }: { readonly recursive?: boolean } = {},
): () => void {
  const watchers = new Map<string, FSWatcher>();
  const begin = (folder: string): void => {
    const watcher = watch(folder, { recursive }, (_, name) => {
      if (name !== null && path.extname(name) !== '' && !indifferent.test(name)) onChange(path.join(folder, name));
    });
    // Node fails where a folder goes while it looks into it: what is there now is watched anew.
    watcher.on('error', () => {
      watcher.close();
      if (watchers.get(folder) === watcher) begin(folder);
    });
    watchers.set(folder, watcher);
  };
  folders.forEach(begin);
  return () => {
    const open = [...watchers.values()];
    watchers.clear();
    for (const watcher of open) watcher.close();
  };
}
