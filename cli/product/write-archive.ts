import { createWriteStream } from 'node:fs';
import { chmod, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import { mapsFolder, proofName, type ListedFile, type ProductProof } from '../../core/common/product-proof.ts';
import { getPlatformName } from '../../core/server/product/platform-name.ts';
import { computeDigest } from '../../core/server/product/verify-product.ts';
import { formatJson, accessModes } from '../bundle/write-product.ts';
import { listServerPackageFiles } from './server-packages.ts';

export interface ArchiveRequest {
  /** Absolute path of the project, whose installed packages are used. */
  readonly root: string;
  /** Absolute path of the product. */
  readonly out: string;
  readonly version: string;
  readonly proof: ProductProof;
}

export interface ArchiveReport {
  /** Absolute path. */
  readonly file: string;
  /** The platform of the native packages in the archive. */
  readonly platform: string;
  readonly bytes: number;
  readonly packages: number;
  /** SHA-256 of the archive's `proof.json`, which also lists the files of the packages. */
  readonly proofSha256: string;
}

/**
 * Packs a built product and the packages of its server into one archive next to the product's folder. The unpacked
 * product needs only Node. Omits source maps.
 *
 * @throws CliError if a package is not installed in the version that the product was built with
 */
export async function writeArchive({ root, out, version, proof }: ArchiveRequest): Promise<ArchiveReport> {
  const platform = getPlatformName();
  const { packages, files } = await listServerPackageFiles(root, out);
  const file = `${out}-${version}-${platform}.tar.gz`;
  const temporaryFile = `${file}.${process.pid}.draft`;
  const tar = new ProductTar(proof.profile);
  const archiveWritten = pipeline(tar.stream, createGzip(), createWriteStream(temporaryFile));
  const addAll = async () => {
    for (const productFile of proof.files)
      if (!productFile.path.startsWith(mapsFolder))
        await tar.addFile(productFile.path, path.join(out, productFile.path));
    const packageFiles: ListedFile[] = [];
    for (const { path: entryPath, source } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
      packageFiles.push(await tar.addFile(entryPath, source));
    const proofContent = Buffer.from(formatJson({ ...proof, packages: { platform, files: packageFiles } }));
    await tar.addContent(proofName, proofContent, accessModes.file);
    tar.stream.finalize();
    return computeDigest(proofContent).sha256;
  };
  try {
    const [proofSha256] = await Promise.all([addAll(), archiveWritten]);
    await chmod(temporaryFile, accessModes.file);
    await rename(temporaryFile, file);
    return { file, platform, bytes: (await stat(file)).size, packages, proofSha256 };
  } catch (error) {
    tar.stream.destroy();
    await rm(temporaryFile, { force: true });
    throw error;
  }
}

/** A tar archive with one root folder and fixed modes and owner. Folders come before their files. */
class ProductTar {
  readonly stream: Pack = pack();
  readonly #folder: string;
  readonly #folders = new Set<string>();
  // All entries have the time of the archive. It is not constant, because servers derive ETags from size and time, and
  // two versions of a page would get the same ETag.
  readonly #mtime = new Date();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async addFile(entryPath: string, source: string): Promise<ListedFile> {
    const [content, { mode }] = await Promise.all([readFile(source), stat(source)]);
    await this.addContent(entryPath, content, (mode & 0o100) === 0 ? accessModes.file : accessModes.folder);
    return { path: entryPath, ...computeDigest(content) };
  }

  async addContent(entryPath: string, content: Buffer, mode: number): Promise<void> {
    const name = `${this.#folder}/${entryPath}`;
    await this.#addFolders(path.posix.dirname(name));
    await this.#addEntry({ name, mode, size: content.byteLength }, content);
  }

  async #addFolders(folder: string): Promise<void> {
    if (folder === '.' || this.#folders.has(folder)) return;
    await this.#addFolders(path.posix.dirname(folder));
    this.#folders.add(folder);
    await this.#addEntry({ name: `${folder}/`, mode: accessModes.folder, type: 'directory' });
  }

  #addEntry(header: Parameters<Pack['entry']>[0], content?: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      const onDone = (error?: Error | null) => (error ? reject(error) : resolve());
      this.stream.entry({ ...header, mtime: this.#mtime, uid: 0, gid: 0 }, content ?? '', onDone);
    });
  }
}
