import { open, type FileHandle } from 'node:fs/promises';
import { coreRefusal } from '#core/api';
import { invalidRequest } from '../kernel/server-error.ts';

/** A box of ISO/IEC 14496-12. `start` is the offset of its content in the file, `end` the first byte after it. */
interface Box {
  readonly type: string;
  /** Offset of the four letters of the type. */
  readonly typeAt: number;
  readonly start: number;
  readonly end: number;
}

/** Boxes with the name, the location and the device of a recording. Players need none of them. */
const metadataTypes: ReadonlySet<string> = new Set(['udta', 'meta', 'uuid']);
const maxBoxes = 10_000;
/** Offset of the handler's type in a `hdlr` box, after version, flags and a reserved word. */
const handlerOffset = 8;
const zeros = Buffer.alloc(64 * 1024);

/**
 * Checks that a file is a complete MP4 with a video track, and clears its metadata in place, such as where a phone
 * recorded it. Offsets in the file do not change, so that the media data remain valid.
 *
 * @throws `invalidRequest` with a readable message if the file is no MP4, is cut off or has no video track
 */
export async function clearVideoMetadata(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const { size } = await handle.stat();
    const boxes = await listBoxes(handle, 0, size);
    const movie = boxes.find(({ type }) => type === 'moov');
    if (boxes[0]?.type !== 'ftyp' || !movie || !boxes.some(({ type }) => type === 'mdat')) throw unreadable();
    const tracks: Box[] = [];
    for (const box of await listBoxes(handle, movie.start, movie.end)) {
      if (box.type === 'trak') tracks.push(box);
      await clearMetadata(handle, box);
    }
    for (const box of boxes) await clearMetadata(handle, box);
    let hasPicture = false;
    for (const track of tracks)
      for (const box of await listBoxes(handle, track.start, track.end)) {
        await clearMetadata(handle, box);
        if (box.type === 'mdia') hasPicture ||= (await readHandler(handle, box)) === 'vide';
      }
    if (!hasPicture) throw unreadable();
  } finally {
    await handle.close();
  }
}

const unreadable = () => invalidRequest(coreRefusal('core.refused.videoUnreadable'));

async function listBoxes(handle: FileHandle, from: number, to: number): Promise<readonly Box[]> {
  const boxes: Box[] = [];
  for (let at = from; at < to; at = boxes.at(-1)!.end) {
    const header = await read(handle, at, Math.min(16, to - at));
    if (header.length < 8 || boxes.length >= maxBoxes) throw unreadable();
    const shortSize = header.readUInt32BE(0);
    if (shortSize === 1 && header.length < 16) throw unreadable();
    const headerBytes = shortSize === 1 ? 16 : 8;
    const size = shortSize === 1 ? Number(header.readBigUInt64BE(8)) : shortSize === 0 ? to - at : shortSize;
    if (size < headerBytes || at + size > to) throw unreadable();
    boxes.push({ type: header.toString('latin1', 4, 8), typeAt: at + 4, start: at + headerBytes, end: at + size });
  }
  return boxes;
}

async function clearMetadata(handle: FileHandle, { type, typeAt, start, end }: Box): Promise<void> {
  if (!metadataTypes.has(type)) return;
  await handle.write(Buffer.from('free'), 0, 4, typeAt);
  for (let at = start; at < end; at += zeros.length) await handle.write(zeros, 0, Math.min(zeros.length, end - at), at);
}

/** The type of a track's handler: `vide` for pictures. */
async function readHandler(handle: FileHandle, media: Box): Promise<string | undefined> {
  const box = (await listBoxes(handle, media.start, media.end)).find(({ type }) => type === 'hdlr');
  if (!box || box.end - box.start < handlerOffset + 4) return undefined;
  return (await read(handle, box.start + handlerOffset, 4)).toString('latin1');
}

async function read(handle: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, at);
  return buffer.subarray(0, bytesRead);
}
