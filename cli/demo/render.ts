import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectRoot } from '../project-root.ts';
import { earlierParts } from './plant/earlier.ts';
import { otherSites } from './plant/other-sites.ts';
import { plant } from './plant/plant.ts';
import { develop } from './render/develop.ts';
import { exportScene } from './render/export-scene.ts';
import { listBands, pictures, seaLevel, sun, type Picture } from './render/pictures.ts';
import { writeIndex, writeRanges, writeThumbnails } from './render/write-index.ts';

export interface RenderOptions {
  /** Path of Blender; default: the environment variable BLENDER, then `blender` in the path. */
  readonly blender?: string;
  /** Renders only pictures whose file begins with this, such as `panorama/HB-P03`. */
  readonly only?: string;
  /** Output folder; default `cli/demo/rendered`. */
  readonly folder?: string;
  readonly log?: (line: string) => void;
}

const scripts = join(projectRoot, 'cli', 'demo', 'render');

/** Folder of the committed renderings. */
export const renderedFolder = join(projectRoot, 'cli', 'demo', 'rendered');

/**
 * Renders all pictures, range images, thumbnails and the index of the demo plant with Blender 3.4 or newer. Takes about
 * two minutes per panorama on two idle cores. An interrupted run resumes if neither description nor scripts changed.
 *
 * @throws if Blender is missing or fails
 */
export async function renderDemo(options: RenderOptions = {}): Promise<void> {
  const log = options.log ?? (() => undefined);
  const folder = options.folder ?? renderedFolder;
  const blender = await findBlender(options.blender);
  const selected = pictures(plant).filter((picture) => picture.file.startsWith(options.only ?? ''));
  for (const [site, parts] of Object.entries({ HB: plant.parts, 'HB-EARLIER': earlierParts, ...otherSites })) {
    const work = join(projectRoot, '.generated', 'demo-render', site);
    if (!selected.some((picture) => picture.site === site)) continue;
    const triangles = await exportScene(parts, work);
    log(`${site}: scene of ${triangles} triangles`);
    const state = await readState(work);
    const jobs = selected.filter((picture) => picture.site === site && !state.done.includes(computeDigest(picture)));
    if (jobs.length === 0) continue;
    await takePictures(blender, work, jobs, log, async (picture, exrFiles) => {
      await develop(exrFiles, picture, join(folder, picture.file));
      for (const exrFile of exrFiles) await rm(exrFile);
      state.done.push(computeDigest(picture));
      await writeFile(join(work, 'state.json'), JSON.stringify(state));
      log(picture.file);
    });
  }
  if (options.only !== undefined) return;
  await writeRanges(plant, folder, log);
  await writeThumbnails(plant, folder);
  await writeIndex(plant, folder);
}

const computeDigest = (picture: Picture): string => createHash('sha256').update(JSON.stringify(picture)).digest('hex');

interface State {
  readonly digest: string;
  readonly done: string[];
}

/** The finished pictures of an earlier run; none if the scene or a script changed. */
async function readState(work: string): Promise<State> {
  const hash = createHash('sha256');
  for (const file of [
    join(work, 'scene.bin'),
    join(work, 'atlas.png'),
    ...['blender_scene.py', 'blender_materials.py', 'blender_world.py'].map((name) => join(scripts, name)),
  ])
    hash.update(await readFile(file));
  const digest = hash.digest('hex');
  const text = await readFile(join(work, 'state.json'), 'utf8').catch(() => undefined);
  const before = text === undefined ? undefined : (JSON.parse(text) as State);
  return before?.digest === digest ? before : { digest, done: [] };
}

async function takePictures(
  blender: string,
  work: string,
  jobs: readonly Picture[],
  log: (line: string) => void,
  take: (picture: Picture, exrFiles: readonly string[]) => Promise<void>,
): Promise<void> {
  const exrFiles = (picture: Picture): string[] =>
    listBands(picture).map(({ suffix }) => join(work, `${picture.file.replaceAll('/', '-')}${suffix}.exr`));
  const jobFile = join(work, 'jobs.json');
  const rendered = jobs.flatMap((picture) =>
    listBands(picture).map(({ band, samples }, k) => ({ ...picture, band, samples, out: exrFiles(picture)[k] })),
  );
  await writeFile(jobFile, JSON.stringify({ scene: work, sun, seaLevel, jobs: rendered }));
  const child = spawn(
    blender,
    ['-b', '-noaudio', '--python-exit-code', '1', '-P', join(scripts, 'blender_scene.py'), '--', jobFile],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const last: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => last.push(chunk.toString()));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let developing = Promise.resolve();
  for await (const line of createInterface(child.stdout)) {
    const name = /^RENDERED (\S+)/.exec(line)?.[1];
    // A picture is complete with its last band; bands are rendered in order.
    const picture = jobs.find((each) => name !== undefined && exrFiles(each).at(-1)?.endsWith(name));
    if (picture) developing = developing.then(() => take(picture, exrFiles(picture)));
    else if (!line.startsWith('Fra:')) last.push(line);
  }
  const code = await ended;
  await developing;
  if (code !== 0) throw new Error(`Blender ended with code ${code}. Its last words: ${last.slice(-6).join('\n')}`);
  log(`${jobs.length} pictures`);
}

async function findBlender(given: string | undefined): Promise<string> {
  const named = given ?? process.env['BLENDER'];
  const candidates = named
    ? [named]
    : (process.env['PATH'] ?? '')
        .split(delimiter)
        .map((place) => join(place, process.platform === 'win32' ? 'blender.exe' : 'blender'));
  for (const candidate of candidates)
    if (
      await access(candidate, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return candidate;
  throw new Error(
    `${named ? `No Blender at ${named}` : 'No Blender on the path'}. The committed pictures need none; to render ` +
      'them anew install Blender 3.4 or newer ' +
      '(Debian, Ubuntu: "apt-get install --no-install-recommends blender"; others: ' +
      'https://www.blender.org/download), or name it with --blender or BLENDER.',
  );
}
