import { crc32 } from 'node:zlib';

/** A ZIP file of these entries, uncompressed. */
export function buildZip(entries: Readonly<Record<string, Uint8Array | string>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(entries)) {
    const [title, bytes] = [Buffer.from(name), Buffer.from(content)];
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    const listed = Buffer.alloc(46);
    listed.writeUInt32LE(0x02014b50, 0);
    listed.writeUInt16LE(20, 4);
    listed.writeUInt16LE(20, 6);
    for (const [target, at] of [
      [head, 14],
      [listed, 16],
    ] as const) {
      target.writeUInt32LE(crc32(bytes), at);
      target.writeUInt32LE(bytes.length, at + 4);
      target.writeUInt32LE(bytes.length, at + 8);
      target.writeUInt16LE(title.length, at + 12);
    }
    listed.writeUInt32LE(offset, 42);
    parts.push(head, title, bytes);
    directory.push(listed, title);
    offset += head.length + title.length + bytes.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(entries).length, 8);
  end.writeUInt16LE(Object.keys(entries).length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
}
