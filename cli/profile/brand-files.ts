import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { basePath } from '#core';
import type { Profile } from '../../core/common/profile.ts';
import type { Problem } from '../cli-error.ts';
import { displayPath } from '../project-root.ts';
import { reduceDrawing, findDrawingProblem } from './brand-drawing.ts';
import { isObject, type MergedProfile } from './profile-chain.ts';

const backgroundFormats = ['.jpg', '.jpeg', '.png', '.webp', '.svg', '.mp4'];

/** A file of the customer's brand. Its path contains a hash of its content, so that browsers can cache it for ever. */
export interface BrandFile {
  /** Relative to the bundle's web folder. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** Settings of `branding` that name an SVG file. */
export const drawingNames = ['logo', 'logoDark', 'icon'] as const;
export type DrawingName = (typeof drawingNames)[number];

/** Reads a valid SVG and reduces it to the allowed elements. */
export async function readDrawing(profilesFolder: string, name: DrawingName, file: string): Promise<BrandFile> {
  return readBrandFile(name === 'logoDark' ? 'logo-dark' : name, path.join(profilesFolder, file));
}

export async function readBackgrounds(profilesFolder: string, backgrounds: readonly string[]): Promise<BrandFile[]> {
  return Promise.all(
    backgrounds.map((background, index) =>
      readBrandFile(`background-${index + 1}`, path.join(profilesFolder, background)),
    ),
  );
}

async function readBrandFile(name: string, file: string): Promise<BrandFile> {
  const extension = path.extname(file).toLowerCase();
  const source = await readFile(file);
  const content = extension === '.svg' ? Buffer.from(reduceDrawing(source.toString('utf8'))) : source;
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8);
  return { path: `static/brand/${name}-${hash}${extension}`, content };
}

/**
 * Finds problems of the files that `branding` names, such as missing files. Ignores values that are not file names,
 * because the schema reports them.
 */
export async function findBrandProblems(profilesFolder: string, mergedProfile: MergedProfile): Promise<Problem[]> {
  const { branding } = mergedProfile.value;
  if (!isObject(branding)) return [];
  const backgrounds = Array.isArray(branding.backgrounds) ? branding.backgrounds : [];
  const namedFiles = [
    ...drawingNames.map((name) => [`/branding/${name}`, branding[name]] as const),
    ...backgrounds.map((background, index) => [`/branding/backgrounds/${index}`, background] as const),
  ];
  return (
    await Promise.all(
      namedFiles.map(([pointer, file]) =>
        typeof file === 'string' ? findFileProblems(profilesFolder, file, pointer, mergedProfile) : [],
      ),
    )
  ).flat();
}

/** The URLs of logos and backgrounds in the product. */
export async function createBrandUrls(
  profilesFolder: string,
  branding: Profile['branding'],
): Promise<{ logo: string; logoDark?: string; backgrounds: string[] }> {
  const [logo, logoDark, backgrounds] = await Promise.all([
    readDrawing(profilesFolder, 'logo', branding.logo),
    branding.logoDark === undefined ? undefined : readDrawing(profilesFolder, 'logoDark', branding.logoDark),
    readBackgrounds(profilesFolder, branding.backgrounds),
  ]);
  return {
    logo: `${basePath}/${logo.path}`,
    ...(logoDark ? { logoDark: `${basePath}/${logoDark.path}` } : {}),
    backgrounds: backgrounds.map((background) => `${basePath}/${background.path}`),
  };
}

async function findFileProblems(
  profilesFolder: string,
  file: string,
  pointer: string,
  mergedProfile: MergedProfile,
): Promise<Problem[]> {
  const position = {
    file:
      mergedProfile.origins.get(pointer) ??
      mergedProfile.origins.get(pointer.replace(/\/\d+$/, '')) ??
      mergedProfile.file,
    pointer,
  };
  const content = await readFile(path.join(profilesFolder, file)).catch(() => undefined);
  if (!content)
    return [
      {
        ...position,
        cause: `There is no file '${displayPath(path.join(profilesFolder, file))}'.`,
        remedy: 'A path is relative to the profile that names it, or absolute.',
      },
    ];
  const isDrawing = path.extname(file).toLowerCase() === '.svg';
  const drawingName = drawingNames.find((name) => pointer === `/branding/${name}`);
  if (drawingName !== undefined || isDrawing) {
    const problem = isDrawing
      ? findDrawingProblem(content)
      : { cause: 'It is not an SVG file.', remedy: 'Export the drawing as SVG.' };
    const imageKind = drawingName === undefined ? 'background' : drawingName === 'icon' ? 'icon' : 'logo';
    return problem === undefined
      ? []
      : [{ ...position, cause: `The ${imageKind} '${file}' cannot be used: ${problem.cause}`, remedy: problem.remedy }];
  }
  return backgroundFormats.includes(path.extname(file).toLowerCase())
    ? []
    : [
        {
          ...position,
          cause: `The background '${file}' has a format that browsers do not show.`,
          remedy: `Use one of ${backgroundFormats.join(', ')}.`,
        },
      ];
}
