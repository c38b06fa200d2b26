import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { exportSite, type ExportServices } from './export-site.ts';

it('gives exported files the extension of their content type, whatever their stored name', async () => {
  const storedFiles: Readonly<Record<string, readonly [string, string]>> = {
    a: ['promo.mov', 'video/mp4'],
    b: ['promo', 'video/mp4'],
    c: ['captions.txt', 'text/vtt'],
    d: ['drawing.xml', 'image/svg+xml'],
    e: ['cloud.laz', 'application/octet-stream'],
  };
  const names: (string | undefined)[] = [];
  const services = {
    files: {
      find: async (id: string) => ({ id, name: storedFiles[id]![0], mediaType: storedFiles[id]![1], folder: false }),
      read: async () => Readable.from(['x']),
    },
    locations: { find: async () => ({ parent: null, name: 'Near', label: 'Near' }) },
    sites: { recordAt: async () => ({}) },
    contents: [
      {
        key: 'media.media',
        folder: 'media',
        export: async ({ addStored }: { addStored: (name: string, id: string) => Promise<string | undefined> }) => {
          for (const id of Object.keys(storedFiles)) names.push(await addStored(id, id));
        },
      },
    ],
  } as unknown as ExportServices;
  const target = { write: async (_name: string, content: Readable) => void (await content.toArray()) };
  const { signal } = new AbortController();
  await exportSite(services, target, { site: 'near', locations: [], flags: 'ALL', language: 'en', signal });
  expect(names).toEqual(['a.mp4', 'b.mp4', 'c.vtt', 'd.svg', 'e.laz']);
});
