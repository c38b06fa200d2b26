import { createWriteStream } from 'node:fs';
import { chmod, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import { mapsFolder, proofName, type ListedFile, type ProductProof } from '../../core/common/product-proof.ts';
import { getPlatformName } from '../../core/server/product/platform-name.ts';
import { computeDigest } from '../../core/server/product/verify-product.ts';
import { json, modes } from '../bundle/write-product.ts';
import { serverPackageFiles } from './server-packages.ts';

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
  /** Of the native packages in it. */
  readonly platform: string;
  readonly bytes: number;
  readonly packages: number;
  /** SHA-256 of the `proof.json` in the archive, which also lists the files of the packages. */
  readonly proofSha256: string;
}

/**
 * Packs a built product with its server's packages into one archive next to its folder, which needs only Node. Omits
 * source maps.
 *
 * @throws CliError if a package is not installed in the version that the product was built with
 */
export async function writeArchive({ root, out, version, proof }: ArchiveRequest): Promise<ArchiveReport> {
  const platform = getPlatformName();
  const { packages, files } = await serverPackageFiles(root, out);
  const file = `${out}-${version}-${platform}.tar.gz`;
  const draft = `${file}.${process.pid}.draft`;
  const tar = new ProductTar(proof.profile);
  const written = pipeline(tar.stream, createGzip(), createWriteStream(draft));
  const fill = async () => {
    for (const listed of proof.files)
      if (!listed.path.startsWith(mapsFolder)) await tar.add(listed.path, path.join(out, listed.path));
    const packed: ListedFile[] = [];
    for (const { path: place, source } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
      packed.push(await tar.add(place, source));
    const text = Buffer.from(json({ ...proof, packages: { platform, files: packed } }));
    await tar.addContent(proofName, text, modes.file);
    tar.stream.finalize();
    return computeDigest(text).sha256;
  };
  try {
    const [proofSha256] = await Promise.all([fill(), written]);
    await chmod(draft, modes.file);
    await rename(draft, file);
    return { file, platform, bytes: (await stat(file)).size, packages, proofSha256 };
  } catch (error) {
    tar.stream.destroy();
    await rm(draft, { force: true });
    throw error;
  }
}

/** A tar with one root folder, fixed modes and owner, and folders before their files. */
class ProductTar {
  readonly stream: Pack = pack();
  readonly #folder: string;
  readonly #folders = new Set<string>();
  // One time for all entries. Not constant: servers derive ETags from size and time, so two versions of a page would
  // get the same one.
  readonly #mtime = new Date();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async add(place: string, source: string): Promise<ListedFile> {
    const [content, { mode }] = await Promise.all([readFile(source), stat(source)]);
    await this.addContent(place, content, (mode & 0o100) === 0 ? modes.file : modes.folder);
    return { path: place, ...computeDigest(content) };
  }

  async addContent(place: string, content: Buffer, mode: number): Promise<void> {
    const name = `${this.#folder}/${place}`;
    await this.#addFolders(path.posix.dirname(name));
    await this.#entry({ name, mode, size: content.byteLength }, content);
  }

  async #addFolders(folder: string): Promise<void> {
    if (folder === '.' || this.#folders.has(folder)) return;
    await this.#addFolders(path.posix.dirname(folder));
    this.#folders.add(folder);
    await this.#entry({ name: `${folder}/`, mode: modes.folder, type: 'directory' });
  }

  #entry(header: Parameters<Pack['entry']>[0], content?: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (error?: Error | null) => (error ? reject(error) : resolve());
      this.stream.entry({ ...header, mtime: this.#mtime, uid: 0, gid: 0 }, content ?? '', done);
    });
  }
}
