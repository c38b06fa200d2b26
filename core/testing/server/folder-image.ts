import fs from 'node:fs';
import path from 'node:path';

/** A folder with its files in memory, without the zeros at the end of each file. */
export interface FolderImage {
  /** Paths relative to the folder, each after that of its parent. */
  readonly folders: readonly string[];
  readonly files: readonly FileImage[];
}

interface FileImage {
  readonly path: string;
  readonly content: Buffer;
  readonly bytes: number;
  readonly mode: number;
}

export function readFolderImage(folder: string): FolderImage {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const toRelative = ({ parentPath, name }: fs.Dirent): string => path.relative(folder, path.join(parentPath, name));
  return {
    folders: entries
      .filter((entry) => entry.isDirectory())
      .map(toRelative)
      .sort(),
    files: entries.filter((entry) => entry.isFile()).map((entry) => readFileImage(folder, toRelative(entry))),
  };
}

function readFileImage(folder: string, file: string): FileImage {
  const content = fs.readFileSync(path.join(folder, file));
  let end = content.byteLength;
  while (end > 0 && content[end - 1] === 0) end -= 1;
  return {
    path: file,
    content: Buffer.from(content.subarray(0, end)),
    bytes: content.byteLength,
    mode: fs.statSync(path.join(folder, file)).mode,
  };
}

const zeros = Buffer.alloc(1024 ** 2);

/**
 * Writes a copy. Takes less processor time than `cp`, because a large process is slow to start another one. Also
 * writes the zeros, because a database expects that the disk space of its files is allocated.
 */
export function writeFolderImage({ folders, files }: FolderImage, to: string): void {
  fs.mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const folder of folders) fs.mkdirSync(path.join(to, folder), { mode: 0o700 });
  for (const { path: file, content, bytes, mode } of files) {
    const descriptor = fs.openSync(path.join(to, file), 'wx', mode);
    try {
      if (content.byteLength > 0) fs.writeFileSync(descriptor, content);
      for (let left = bytes - content.byteLength; left > 0; left -= zeros.byteLength)
        fs.writeFileSync(descriptor, zeros.subarray(0, left));
    } finally {
      fs.closeSync(descriptor);
    }
  }
}
