import { crc32 } from 'node:zlib';

/** Builds an uncompressed ZIP file. @see PKWARE APPNOTE, section 4.3 */
export function buildZip(entries: Readonly<Record<string, Uint8Array | string>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(entries)) {
    const [nameBytes, bytes] = [Buffer.from(name), Buffer.from(content)];
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(20, 4);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 4);
    entry.writeUInt16LE(20, 6);
    for (const [target, start] of [
      [header, 14],
      [entry, 16],
    ] as const) {
      target.writeUInt32LE(crc32(bytes), start);
      target.writeUInt32LE(bytes.length, start + 4);
      target.writeUInt32LE(bytes.length, start + 8);
      target.writeUInt16LE(nameBytes.length, start + 12);
    }
    entry.writeUInt32LE(offset, 42);
    parts.push(header, nameBytes, bytes);
    directory.push(entry, nameBytes);
    offset += header.length + nameBytes.length + bytes.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(entries).length, 8);
  end.writeUInt16LE(Object.keys(entries).length, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directoryBytes, end]);
}
