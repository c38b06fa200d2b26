// Tells by its first bytes why a file is no workbook.
import { open } from 'node:fs/promises';
import { WorkbookError } from '../ooxml/workbook-error.mjs';

const maxFileBytes = 100 * 1024 ** 2;
const zipSignature = 0x04034b50;
const compoundSignature = 0xe011cfd0;

/** Returns the size of a file that may be a workbook. @throws WorkbookError for any other */
export async function checkWorkbookFile(file) {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    checkFileSize(size);
    const { buffer: head, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0);
    const signature = bytesRead >= 4 ? head.readUInt32LE(0) : 0;
    if (signature === zipSignature) return size;
    if (signature === compoundSignature) throw new WorkbookError(await describeCompoundFile(handle, head));
    if (head.toString('latin1', 0, bytesRead).trimStart().startsWith('<'))
      throw new WorkbookError('imports.refused.workbookMarkup');
    throw new WorkbookError(
      head.subarray(0, bytesRead).includes(0) ? 'imports.refused.workbookOther' : 'imports.refused.workbookText',
    );
  } finally {
    await handle.close();
  }
}

/** @throws WorkbookError if the file is empty or too large */
export function checkFileSize(size) {
  if (size === 0) throw new WorkbookError('imports.refused.workbookEmptyFile');
  if (size > maxFileBytes)
    throw new WorkbookError('imports.refused.workbookTooLarge', { megabytes: maxFileBytes / 1024 ** 2 });
}

/**
 * Password-protected workbooks and those of Excel 97 to 2003 are compound files. Their directory distinguishes them.
 */
async function describeCompoundFile(handle, head) {
  const sectorBytes = 1 << Math.min(head.readUInt16LE(30), 12);
  const { buffer } = await handle.read(Buffer.alloc(4096), 0, 4096, (head.readUInt32LE(48) + 1) * sectorBytes);
  const directory = buffer.toString('utf16le');
  if (directory.includes('EncryptedPackage')) return 'imports.refused.workbookPassword';
  return directory.includes('Workbook') || directory.includes('Book')
    ? 'imports.refused.workbookLegacy'
    : 'imports.refused.workbookOther';
}
