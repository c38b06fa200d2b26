// Checks that the text of a STEP file (ISO 10303-21), such as IFC, is complete, and finds entries that are referenced
// but not defined.

const [hash, semicolon, quote, zero, nine, slash, star] = Buffer.from("#;'09/*");
const maxId = 2 ** 28;
const [REFERENCED, DEFINED] = [1, 2];
const tailLength = 4096;

/** Returns whether the file has its end mark, the number of its entries, and the number of missing entries. */
export function inspectStep(bytes) {
  let marks = new Uint8Array(2 ** 16);
  const mark = (id, bit) => {
    if (id >= maxId) return;
    if (id >= marks.length) {
      const enlargedMarks = new Uint8Array(2 ** Math.ceil(Math.log2(id + 1)));
      enlargedMarks.set(marks);
      marks = enlargedMarks;
    }
    marks[id] |= bit;
  };
  let entries = 0;
  let currentId = -1;
  let atEntryStart = true;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === quote) index = findTextEnd(bytes, index + 1);
    else if (byte === slash && bytes[index + 1] === star) index = findCommentEnd(bytes, index + 2);
    else if (byte === hash) {
      let id = 0;
      while (bytes[index + 1] >= zero && bytes[index + 1] <= nine) id = id * 10 + bytes[(index += 1)] - zero;
      if (atEntryStart) currentId = id;
      else mark(id, REFERENCED);
      atEntryStart = false;
    } else if (byte === semicolon) {
      if (currentId >= 0) {
        mark(currentId, DEFINED);
        entries += 1;
      }
      currentId = -1;
      atEntryStart = true;
    } else if (byte > 32) atEntryStart = false;
  }
  const tail = bytes.subarray(Math.max(0, bytes.length - tailLength)).toString('latin1');
  return {
    complete: tail.includes('END-ISO-10303-21'),
    entries,
    missing: marks.reduce((count, bits) => count + (bits === REFERENCED ? 1 : 0), 0),
  };
}

/** A doubled quote within a string ends one string and starts another, which makes no difference here. */
function findTextEnd(bytes, start) {
  const end = bytes.indexOf(quote, start);
  return end < 0 ? bytes.length : end;
}

function findCommentEnd(bytes, start) {
  const end = bytes.indexOf('*/', start);
  return end < 0 ? bytes.length : end + 1;
}
