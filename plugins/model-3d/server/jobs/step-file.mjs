// Checks that the text of a STEP file (ISO 10303-21), such as IFC, is complete, and finds entries that are referenced
// but not defined.

const [hash, semicolon, quote, zero, nine, slash, star] = Buffer.from("#;'09/*");
const maxId = 2 ** 28;
const [referred, defined] = [1, 2];
const tailLength = 4096;

/** `complete`: it ends as a STEP file does. `missing`: entries that are referenced but not defined. */
export function surveyStep(bytes) {
  let marks = new Uint8Array(2 ** 16);
  const mark = (id, bit) => {
    if (id >= maxId) return;
    if (id >= marks.length) {
      const grown = new Uint8Array(2 ** Math.ceil(Math.log2(id + 1)));
      grown.set(marks);
      marks = grown;
    }
    marks[id] |= bit;
  };
  let entries = 0;
  let current = -1;
  let begins = true;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at + 1);
    else if (byte === slash && bytes[at + 1] === star) at = endOfComment(bytes, at + 2);
    else if (byte === hash) {
      let id = 0;
      while (bytes[at + 1] >= zero && bytes[at + 1] <= nine) id = id * 10 + bytes[(at += 1)] - zero;
      if (begins) current = id;
      else mark(id, referred);
      begins = false;
    } else if (byte === semicolon) {
      if (current >= 0) {
        mark(current, defined);
        entries += 1;
      }
      current = -1;
      begins = true;
    } else if (byte > 32) begins = false;
  }
  const tail = bytes.subarray(Math.max(0, bytes.length - tailLength)).toString('latin1');
  return {
    complete: tail.includes('END-ISO-10303-21'),
    entries,
    missing: marks.reduce((count, bits) => count + (bits === referred ? 1 : 0), 0),
  };
}

/** A quote within a string is doubled, which parses as two strings. */
function endOfText(bytes, from) {
  const end = bytes.indexOf(quote, from);
  return end < 0 ? bytes.length : end;
}

function endOfComment(bytes, from) {
  const end = bytes.indexOf('*/', from);
  return end < 0 ? bytes.length : end + 1;
}
