import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildBox, buildVideo } from '../../testing/server/build-video.ts';
import { clearVideoMetadata } from './clear-video-metadata.ts';

describe('videos', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-video-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const clear = async (content: Buffer): Promise<Buffer> => {
    const file = path.join(folder, 'video.mp4');
    await writeFile(file, content);
    await clearVideoMetadata(file);
    return readFile(file);
  };

  it('[ADM-09] lose the location of the recording, and nothing else changes', async () => {
    const content = buildVideo({ place: '+59.0000+001.0000/' });
    const clearedContent = await clear(content);
    expect(clearedContent.includes('+59.0000')).toBe(false);
    expect(clearedContent.length).toBe(content.length);
    expect(clearedContent.indexOf('mdat')).toBe(content.indexOf('mdat'));
    expect(clearedContent.includes('pictures')).toBe(true);
  });

  it.each([
    ['without a picture', buildVideo({ handler: 'soun' })],
    ['that is cut off', buildVideo().subarray(0, -4)],
    ['without an index', Buffer.concat([buildBox('ftyp', Buffer.from('isom')), buildBox('mdat', Buffer.from('x'))])],
    ['with a size of zero bytes', Buffer.concat([buildVideo(), Buffer.from([0, 0, 0, 4, 0x6d, 0x6f, 0x6f, 0x76])])],
  ])('%s are refused', async (_, content) => {
    await expect(clear(content)).rejects.toMatchObject({ status: 400 });
  });
});
