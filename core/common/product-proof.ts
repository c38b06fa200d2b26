/**
 * The format of `proof.json`, the list of a product's files, and the comparison of a folder with it. The build writes
 * the file; `walkdown verify`, the product's `server/verify.mjs` and the server's check at start read it.
 */

export const proofName = 'proof.json';
/** The folder of source maps. They are not delivered, so the folder may be absent as a whole. */
export const mapsFolder = 'maps/';
/**
 * The folder of installed packages, which are compared only if the proof lists them: the proof in an archive does, the
 * proof of a plain build does not.
 */
export const packagesFolder = 'server/node_modules/';

/** Identifies the content of one file. */
export interface FileDigest {
  readonly bytes: number;
  /** SHA-256 as 64 lower-case hexadecimal digits. */
  readonly sha256: string;
}

export interface ListedFile extends FileDigest {
  /** Relative to the product's folder, with forward slashes. */
  readonly path: string;
}

/** A file of the product, apart from installed packages. */
export interface ProductFileEntry extends ListedFile {
  /** Ids of the plugins whose files it contains. */
  readonly plugins: readonly string[];
}

/** Packages of an archive for machines without a registry. */
export interface ListedPackages {
  /** The platform of their native parts, such as `linux-x64-glibc`. */
  readonly platform: string;
  readonly files: readonly ListedFile[];
}

export interface ProductProof {
  readonly profile: string;
  readonly enabled: readonly string[];
  /** All known plugins that are off. */
  readonly disabled: readonly string[];
  /** Every file of the product except `proof.json`, sorted by path. */
  readonly files: readonly ProductFileEntry[];
  readonly packages?: ListedPackages;
}

export interface ProductDifference {
  readonly kind: 'added' | 'missing' | 'changed' | 'unreadable';
  /** Relative to the product's folder, with forward slashes. */
  readonly path: string;
}

/** @throws Error with one sentence if the text is not a proof or lists no files */
export function parseProof(text: string): ProductProof {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${proofName} is not JSON.`);
  }
  if (!isRecord(value) || !isList(value['files'], isListedFile))
    throw new Error(`${proofName} does not list files with path, bytes and sha256.`);
  const { packages } = value;
  if (packages !== undefined && !(isRecord(packages) && isList(packages['files'], isListedFile)))
    throw new Error(`${proofName} does not list the files of the packages.`);
  if (value['files'].length === 0) throw new Error(`${proofName} lists no file: nothing can be compared with it.`);
  return value as unknown as ProductProof;
}

/**
 * Lists every file that differs, sorted by path.
 *
 * @param actual the files of the product's folder, without `proof.json`, and without packages if the proof lists none;
 *   undefined for irregular or unreadable files
 */
export function compareWithProof(
  proof: Pick<ProductProof, 'files' | 'packages'>,
  actual: ReadonlyMap<string, FileDigest | undefined>,
): readonly ProductDifference[] {
  const listedFiles = new Map([...proof.files, ...(proof.packages?.files ?? [])].map((file) => [file.path, file]));
  const hasMaps = [...actual.keys()].some((path) => path.startsWith(mapsFolder));
  const differences: ProductDifference[] = [];
  for (const [path, { bytes, sha256 }] of listedFiles) {
    const file = actual.get(path);
    if (!actual.has(path)) {
      if (hasMaps || !path.startsWith(mapsFolder)) differences.push({ kind: 'missing', path });
    } else if (file === undefined) differences.push({ kind: 'unreadable', path });
    else if (file.bytes !== bytes || file.sha256 !== sha256) differences.push({ kind: 'changed', path });
  }
  for (const path of actual.keys()) if (!listedFiles.has(path)) differences.push({ kind: 'added', path });
  return differences.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Describes a difference in one sentence. */
export function describeDifference({ kind, path }: ProductDifference): string {
  switch (kind) {
    case 'added':
      return `'${path}' was added: the build did not write it.`;
    case 'missing':
      return `'${path}' is missing.`;
    case 'changed':
      return `'${path}' was changed: its content is not what the build wrote.`;
    case 'unreadable':
      return `'${path}' cannot be read as a file.`;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList<T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isItem);
}

function isListedFile(value: unknown): value is ListedFile {
  return (
    isRecord(value) &&
    typeof value['path'] === 'string' &&
    typeof value['bytes'] === 'number' &&
    typeof value['sha256'] === 'string' &&
    /^[0-9a-f]{64}$/.test(value['sha256'])
  );
}
