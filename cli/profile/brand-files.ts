import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { basePath } from '#core';
import type { Profile } from '../../core/common/profile.ts';
import type { Problem } from '../cli-error.ts';
import { displayPath } from '../project-root.ts';
import { brandDrawing, drawingProblem } from './brand-drawing.ts';
import { isObject, type MergedProfile } from './profile-chain.ts';

const backgroundFormats = ['.jpg', '.jpeg', '.png', '.webp', '.svg', '.mp4'];

/** A file of the customer's brand with its path in the bundle: content-addressed, so that it can be cached for ever. */
export interface BrandFile {
  /** Relative to the bundle's web folder. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** Drawings of a brand by their names in the profile: each is an SVG file. */
export const drawings = ['logo', 'logoDark', 'icon'] as const;
export type DrawingName = (typeof drawings)[number];

/** A valid drawing, reduced by the allow-list. */
export async function drawingFile(profilesFolder: string, name: DrawingName, file: string): Promise<BrandFile> {
  return hashed(name === 'logoDark' ? 'logo-dark' : name, path.join(profilesFolder, file));
}

export async function backgroundFiles(profilesFolder: string, backgrounds: readonly string[]): Promise<BrandFile[]> {
  return Promise.all(
    backgrounds.map((background, index) => hashed(`background-${index + 1}`, path.join(profilesFolder, background))),
  );
}

async function hashed(name: string, file: string): Promise<BrandFile> {
  const extension = path.extname(file).toLowerCase();
  const source = await readFile(file);
  const content = extension === '.svg' ? Buffer.from(brandDrawing(source.toString('utf8'))) : source;
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8);
  return { path: `static/brand/${name}-${hash}${extension}`, content };
}

/**
 * The problems of the files that `branding` names: missing or unsuitable. The schema reports values that are no file
 * names.
 */
export async function problemsOfBrand(profilesFolder: string, merged: MergedProfile): Promise<Problem[]> {
  const { branding } = merged.value;
  if (!isObject(branding)) return [];
  const backgrounds = Array.isArray(branding.backgrounds) ? branding.backgrounds : [];
  const named = [
    ...drawings.map((name) => [`/branding/${name}`, branding[name]] as const),
    ...backgrounds.map((background, index) => [`/branding/backgrounds/${index}`, background] as const),
  ];
  return (
    await Promise.all(
      named.map(([pointer, file]) =>
        typeof file === 'string' ? findProblems(profilesFolder, file, pointer, merged) : [],
      ),
    )
  ).flat();
}

/** The addresses of logos and backgrounds in the product. */
export async function brandAddresses(
  profilesFolder: string,
  branding: Profile['branding'],
): Promise<{ logo: string; logoDark?: string; backgrounds: string[] }> {
  const [logo, logoDark, backgrounds] = await Promise.all([
    drawingFile(profilesFolder, 'logo', branding.logo),
    branding.logoDark === undefined ? undefined : drawingFile(profilesFolder, 'logoDark', branding.logoDark),
    backgroundFiles(profilesFolder, branding.backgrounds),
  ]);
  return {
    logo: `${basePath}/${logo.path}`,
    ...(logoDark ? { logoDark: `${basePath}/${logoDark.path}` } : {}),
    backgrounds: backgrounds.map((background) => `${basePath}/${background.path}`),
  };
}

async function findProblems(
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
    return [
      {
        ...place,
        cause: `There is no file '${displayPath(path.join(profilesFolder, file))}'.`,
        remedy: 'A path is relative to the profile that names it, or absolute.',
      },
    ];
  const isDrawing = path.extname(file).toLowerCase() === '.svg';
  const drawing = drawings.find((name) => pointer === `/branding/${name}`);
  if (drawing !== undefined || isDrawing) {
    const problem = isDrawing
      ? drawingProblem(content)
      : { cause: 'It is no SVG file.', remedy: 'Export the drawing as SVG.' };
    const what = drawing === undefined ? 'background' : drawing === 'icon' ? 'icon' : 'logo';
    return problem === undefined
      ? []
      : [{ ...place, cause: `The ${what} '${file}' is not fit: ${problem.cause}`, remedy: problem.remedy }];
  }
  return backgroundFormats.includes(path.extname(file).toLowerCase())
    ? []
    : [
        {
          ...place,
          cause: `The background '${file}' is of a kind that browsers do not show.`,
          remedy: `Use one of ${backgroundFormats.join(', ')}.`,
        },
      ];
}
