import { watch } from 'node:fs';
import path from 'node:path';

/** Folders whose files a product is made of. */
const folders = ['core', 'plugins', 'profiles'];
const indifferent = /\.test\.tsx?$|~$|\.swp$|[\\/]\.[^\\/]*$/;

/** Calls `onChange` with the absolute path of each file that is written, made or taken away. Returns what ends it. */
export function watchSources(root: string, onChange: (file: string) => void): () => void {
  const watchers = folders.map((folder) =>
    watch(path.join(root, folder), { recursive: true }, (_, name) => {
      if (name !== null && path.extname(name) !== '' && !indifferent.test(name)) onChange(path.join(root, folder, name));
    }),
  );
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}
