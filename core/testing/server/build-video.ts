/** A box, the element of an MP4 file: size, type and content. */
export function buildBox(type: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

export interface VideoOptions {
  /** Type of the only track's handler. Default: `vide`, a track with pictures. */
  readonly handler?: string;
  /** Location of the recording (ISO 6709). */
  readonly place?: string;
}

/** Builds a minimal file with the structure of an MP4. No player can play it. */
export function buildVideo({ handler = 'vide', place }: VideoOptions = {}): Buffer {
  const track = buildBox(
    'trak',
    buildBox('mdia', buildBox('hdlr', Buffer.alloc(8), Buffer.from(handler), Buffer.alloc(8))),
  );
  const metadata = place === undefined ? [] : [buildBox('udta', buildBox('\u00a9xyz', Buffer.from(place)))];
  return Buffer.concat([
    buildBox('ftyp', Buffer.from('isom\0\0\0\0isommp42')),
    buildBox('moov', track, ...metadata),
    buildBox('mdat', Buffer.from('pictures')),
  ]);
}
