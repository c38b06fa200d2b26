import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectRoot } from '../project-root.ts';
import { partsAtEarlierCapture } from './plant/earlier.ts';
import { otherSites } from './plant/other-sites.ts';
import { plant } from './plant/plant.ts';
import { developPicture } from './render/develop.ts';
import { exportScene } from './render/export-scene.ts';
import { listBands, listPictures, seaLevel, sun, type Picture } from './render/pictures.ts';
import { writeIndex, writeRanges, writeThumbnails } from './render/write-index.ts';

export interface RenderOptions {
  /** Path of Blender. The default is the environment variable BLENDER, then `blender` in the path. */
  readonly blender?: string;
  /** Renders only pictures whose file begins with this, such as `panorama/HB-P03`. */
  readonly filePrefix?: string;
  /** Output folder. The default is `cli/demo/rendered`. */
  readonly folder?: string;
  readonly log?: (line: string) => void;
}

const scriptsFolder = join(projectRoot, 'cli', 'demo', 'render');

/** Folder of the committed renderings. */
export const renderedFolder = join(projectRoot, 'cli', 'demo', 'rendered');

/**
 * Renders all pictures, range images, thumbnails and the index of the demo plant with Blender 3.4 or newer. Takes about
 * two minutes per panorama on two idle cores. Resumes an interrupted run if neither description nor scripts changed.
 *
 * @throws if Blender is missing or fails
 */
export async function renderDemo(options: RenderOptions = {}): Promise<void> {
  const log = options.log ?? (() => undefined);
  const folder = options.folder ?? renderedFolder;
  const blender = await findBlender(options.blender);
  const selectedPictures = listPictures(plant).filter((picture) => picture.file.startsWith(options.filePrefix ?? ''));
  for (const [site, parts] of Object.entries({ HB: plant.parts, 'HB-EARLIER': partsAtEarlierCapture, ...otherSites })) {
    const workFolder = join(projectRoot, '.generated', 'demo-render', site);
    if (!selectedPictures.some((picture) => picture.site === site)) continue;
    const triangles = await exportScene(parts, workFolder);
    log(`${site}: scene of ${triangles} triangles`);
    const state = await readState(workFolder);
    const jobs = selectedPictures.filter(
      (picture) => picture.site === site && !state.done.includes(computeDigest(picture)),
    );
    if (jobs.length === 0) continue;
    await renderPictures(blender, workFolder, jobs, log, async (picture, exrFiles) => {
      await developPicture(exrFiles, picture, join(folder, picture.file));
      for (const exrFile of exrFiles) await rm(exrFile);
      state.done.push(computeDigest(picture));
      await writeFile(join(workFolder, 'state.json'), JSON.stringify(state));
      log(picture.file);
    });
  }
  if (options.filePrefix !== undefined) return;
  await writeRanges(plant, folder, log);
  await writeThumbnails(plant, folder);
  await writeIndex(plant, folder);
}

const computeDigest = (picture: Picture): string => createHash('sha256').update(JSON.stringify(picture)).digest('hex');

interface RenderState {
  readonly digest: string;
  readonly done: string[];
}

/** The finished pictures of an earlier run; none if the scene or a script changed. */
async function readState(workFolder: string): Promise<RenderState> {
  const hash = createHash('sha256');
  for (const file of [
    join(workFolder, 'scene.bin'),
    join(workFolder, 'atlas.png'),
    ...['blender_scene.py', 'blender_materials.py', 'blender_world.py'].map((name) => join(scriptsFolder, name)),
  ])
    hash.update(await readFile(file));
  const digest = hash.digest('hex');
  const text = await readFile(join(workFolder, 'state.json'), 'utf8').catch(() => undefined);
  const previous = text === undefined ? undefined : (JSON.parse(text) as RenderState);
  return previous?.digest === digest ? previous : { digest, done: [] };
}

async function renderPictures(
  blender: string,
  workFolder: string,
  jobs: readonly Picture[],
  log: (line: string) => void,
  onRendered: (picture: Picture, exrFiles: readonly string[]) => Promise<void>,
): Promise<void> {
  const listExrFiles = (picture: Picture): string[] =>
    listBands(picture).map(({ suffix }) => join(workFolder, `${picture.file.replaceAll('/', '-')}${suffix}.exr`));
  const jobFile = join(workFolder, 'jobs.json');
  const bandJobs = jobs.flatMap((picture) =>
    listBands(picture).map(({ band, samples }, k) => ({ ...picture, band, samples, out: listExrFiles(picture)[k] })),
  );
  await writeFile(jobFile, JSON.stringify({ scene: workFolder, sun, seaLevel, jobs: bandJobs }));
  const child = spawn(
    blender,
    ['-b', '-noaudio', '--python-exit-code', '1', '-P', join(scriptsFolder, 'blender_scene.py'), '--', jobFile],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const output: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const completion = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let developing = Promise.resolve();
  for await (const line of createInterface(child.stdout)) {
    const name = /^RENDERED (\S+)/.exec(line)?.[1];
    // A picture is complete with its last band; bands are rendered in order.
    const picture = jobs.find((job) => name !== undefined && listExrFiles(job).at(-1)?.endsWith(name));
    if (picture) developing = developing.then(() => onRendered(picture, listExrFiles(picture)));
    else if (!line.startsWith('Fra:')) output.push(line);
  }
  const code = await completion;
  await developing;
  if (code !== 0)
    throw new Error(`Blender ended with code ${code}. The end of its output: ${output.slice(-6).join('\n')}`);
  log(`${jobs.length} pictures`);
}

async function findBlender(blenderOption: string | undefined): Promise<string> {
  const requestedPath = blenderOption ?? process.env['BLENDER'];
  const candidates = requestedPath
    ? [requestedPath]
    : (process.env['PATH'] ?? '')
        .split(delimiter)
        .map((folder) => join(folder, process.platform === 'win32' ? 'blender.exe' : 'blender'));
  for (const candidate of candidates)
    if (
      await access(candidate, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return candidate;
  throw new Error(
    `There is no Blender ${requestedPath ? `at ${requestedPath}` : 'on the path'}. To render the pictures again, ` +
      'install Blender 3.4 or newer (Debian, Ubuntu: "apt-get install --no-install-recommends blender"; others: ' +
      'https://www.blender.org/download), or name it with --blender or BLENDER.',
  );
}
