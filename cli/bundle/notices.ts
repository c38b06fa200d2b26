import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Metafile } from 'esbuild';

/** A third-party package in the product. */
export interface Notice {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression or a URL, as in the package.json. */
  readonly license: string;
  /** The licence text; empty if the package has none. */
  readonly text: string;
}

const licenseFile = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/**
 * The packages with code in the outputs, sorted by name and version. Installed packages without code there are left
 * out.
 */
export function listShippedPackages(root: string, metafiles: readonly Metafile[]): readonly Notice[] {
  const inputs = metafiles.flatMap((metafile) =>
    Object.values(metafile.outputs).flatMap((output) =>
      Object.entries(output.inputs)
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([input]) => input),
    ),
  );
  const folders = new Set(
    inputs
      .filter((input) => input.includes('node_modules/'))
      .map((input) => findPackageFolder(path.resolve(root, input))),
  );
  return [...folders].map(readNotice).sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

/** Skips package.json files without a version, which only configure the files next to them. */
function findPackageFolder(file: string): string {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const manifest = path.join(folder, 'package.json');
    if (existsSync(manifest) && 'version' in (JSON.parse(readFileSync(manifest, 'utf8')) as object)) return folder;
  }
  throw new Error(`${file} belongs to no package.`);
}

function readNotice(folder: string): Notice {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string | { type: string };
  };
  const license = typeof manifest.license === 'object' ? manifest.license.type : manifest.license;
  const files = readdirSync(folder)
    .filter((name) => licenseFile.test(name))
    .sort();
  const text = files
    .map((name) => readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n');
  return { name: manifest.name, version: manifest.version, license: license ?? 'not stated', text };
}

/** Formats `notices.txt`. */
export function formatNotices(title: string, notices: readonly Notice[]): string {
  const rule = '-'.repeat(80);
  const parts = notices.map(
    ({ name, version, license, text }) =>
      `${rule}\n${name} ${version}\nLicence: ${license}\n\n${text || 'The package contains no licence text.'}\n`,
  );
  return (
    `${title}: third-party packages in this product, with their licences.\n${notices.length} ` +
    `packages.\n\n${parts.join('\n')}`
  );
}
