import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { basePath } from '#core';
import type { Profile } from '../../core/common/profile.ts';
import type { Problem } from '../cli-error.ts';
import { isObject, type MergedProfile } from './profile-chain.ts';

const backgroundFormats = ['.jpg', '.jpeg', '.png', '.webp', '.svg', '.mp4'];

/**
 * A file of the customer's brand, read, with its place in the bundle: named after its content, so that it can be cached
 * for ever.
 */
export interface BrandFile {
  /** Relative to the bundle's web folder. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** What may not be in a logo, by the name of the element. */
const unfit: Readonly<Record<string, string>> = {
  script: 'a script',
  foreignobject: 'content of another kind',
  iframe: 'a page of its own',
  image: 'a picture of dots, which cannot be scaled',
  use: 'a drawing from another file',
};

/** A logo is drawn in pages of the product: it may hold drawing, nothing that runs or fetches. */
export function logoProblem(svg: string): string | undefined {
  if (!/<svg[\s>]/.test(svg)) return 'It is no SVG drawing.';
  if (/<!DOCTYPE|<!ENTITY/i.test(svg)) return 'It declares entities.';
  const held =
    /<(script|foreignObject|iframe|image)/i.exec(svg)?.[1] ?? /<(use)\s[^>]*href\s*=\s*["'](?!#)/i.exec(svg)?.[1];
  if (held !== undefined) return `It holds <${held}>: ${unfit[held.toLowerCase()] ?? 'that is no drawing'}.`;
  if (/\son\w+\s*=/i.test(svg)) return 'It holds event handlers.';
  if (/(href|url\()\s*=?\s*["'(]?\s*(https?:|\/\/|data:|javascript:)/i.test(svg))
    return 'It fetches something from elsewhere.';
  if (!/viewBox\s*=/.test(svg)) return 'It has no viewBox, so it cannot be scaled.';
  return undefined;
}

export async function logoFile(profilesFolder: string, logo: string): Promise<BrandFile> {
  return hashed('logo', path.join(profilesFolder, logo));
}

export async function backgroundFiles(profilesFolder: string, backgrounds: readonly string[]): Promise<BrandFile[]> {
  return Promise.all(
    backgrounds.map((background, index) => hashed(`background-${index + 1}`, path.join(profilesFolder, background))),
  );
}

async function hashed(name: string, file: string): Promise<BrandFile> {
  const content = await readFile(file);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8);
  return { path: `static/brand/${name}-${hash}${path.extname(file).toLowerCase()}`, content };
}

/**
 * What is wrong with the files that `branding` names: each that is missing or not fit. What is no name of a file is the
 * schema's to say.
 */
export async function problemsOfBrand(profilesFolder: string, merged: MergedProfile): Promise<Problem[]> {
  const { branding } = merged.value;
  if (!isObject(branding)) return [];
  const backgrounds = Array.isArray(branding.backgrounds) ? branding.backgrounds : [];
  const named = [
    ['/branding/logo', branding.logo] as const,
    ...backgrounds.map((background, index) => [`/branding/backgrounds/${index}`, background] as const),
  ];
  return (
    await Promise.all(
      named.map(([pointer, file]) =>
        typeof file === 'string' ? problemOf(profilesFolder, file, pointer, merged) : [],
      ),
    )
  ).flat();
}

/** The addresses of logo and backgrounds in the product. */
export async function brandAddresses(
  profilesFolder: string,
  branding: Profile['branding'],
): Promise<{ logo: string; backgrounds: string[] }> {
  const [logo, backgrounds] = await Promise.all([
    logoFile(profilesFolder, branding.logo),
    backgroundFiles(profilesFolder, branding.backgrounds),
  ]);
  return {
    logo: `${basePath}/${logo.path}`,
    backgrounds: backgrounds.map((background) => `${basePath}/${background.path}`),
  };
}

async function problemOf(
  profilesFolder: string,
  file: string,
  pointer: string,
  merged: MergedProfile,
): Promise<Problem[]> {
  const place = {
    file: merged.origins.get(pointer) ?? merged.origins.get(pointer.replace(/\/\d+$/, '')) ?? merged.file,
    pointer,
  };
  const content = await readFile(path.join(profilesFolder, file)).catch(() => undefined);
  if (!content)
    return [{ ...place, cause: `There is no file '${file}'.`, wayOut: 'The path is relative to the profiles folder.' }];
  if (pointer === '/branding/logo') {
    const unfit =
      path.extname(file).toLowerCase() === '.svg' ? logoProblem(content.toString('utf8')) : 'It is no SVG file.';
    return unfit === undefined
      ? []
      : [
          {
            ...place,
            cause: `The logo '${file}' is not fit: ${unfit}`,
            wayOut: 'Export it as plain SVG with a viewBox and embedded outlines.',
          },
        ];
  }
  return backgroundFormats.includes(path.extname(file).toLowerCase())
    ? []
    : [
        {
          ...place,
          cause: `The background '${file}' is of a kind that browsers do not show.`,
          wayOut: `Use one of ${backgroundFormats.join(', ')}.`,
        },
      ];
}
