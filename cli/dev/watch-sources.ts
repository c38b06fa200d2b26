import { watch } from 'node:fs';
import path from 'node:path';

const indifferent = /\.test\.tsx?$|~$|\.swp$|(?:^|[\\/])\.[^\\/]*$/;

/** Calls `onChange` with the absolute path of each file in the folders that is written, made or taken away. Returns what ends it. */
export function watchSources(folders: readonly string[], onChange: (file: string) => void): () => void {
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, (_, name) => {
      if (name !== null && path.extname(name) !== '' && !indifferent.test(name)) onChange(path.join(folder, name));
    }),
  );
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}
