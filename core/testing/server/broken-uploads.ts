import http from 'node:http';

/** Creates a deterministic generator of integers from 0 to `below` - 1. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A damaged multipart body. */
export interface BrokenForm {
  readonly type: string;
  readonly body: Buffer;
  /** If set, the connection is cut after this number of bytes, less than `content-length`. */
  readonly cutAfter?: number;
}

/**
 * A form with one of ten kinds of damage. `index` selects the kind, `random` its position and content. `photo` is a
 * complete image of some hundred bytes.
 */
export function buildBrokenForm(photo: Buffer, index: number, random: (below: number) => number): BrokenForm {
  const boundary = 'XWALKDOWNX';
  const type = `multipart/form-data; boundary=${boundary}`;
  const part = (headers: string, content: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`, 'latin1'), content, Buffer.from('\r\n')]);
  const disposition = 'Content-Disposition: form-data; name="photo"; filename="a.jpg"\r\nContent-Type: image/jpeg';
  const end = Buffer.from(`--${boundary}--\r\n`);
  const complete = Buffer.concat([
    part('Content-Disposition: form-data; name="title"', Buffer.from('x')),
    part(disposition, photo),
    end,
  ]);
  const noise = Buffer.from(Array.from({ length: 200 }, () => random(256)));
  switch (index % 10) {
    case 0:
      return { type, body: complete.subarray(0, random(complete.length)) };
    case 1:
      return { type: 'multipart/form-data', body: complete };
    case 2:
      return { type: `multipart/form-data; boundary=${'another'.repeat(1 + random(30))}`, body: complete };
    case 3:
      return {
        type,
        body: Buffer.concat([part(`Content-Disposition: form-data; name=${noise.toString('latin1')}`, photo), end]),
      };
    case 4: {
      const damagedBody = Buffer.from(complete);
      for (let hits = 0; hits < 20; hits++) damagedBody[random(damagedBody.length)] = random(256);
      return { type, body: damagedBody };
    }
    case 5:
      return { type, body: noise };
    case 6:
      return { type, body: complete, cutAfter: 1 + random(complete.length - 1) };
    case 7:
      return {
        type,
        body: Buffer.concat([
          part('Content-Disposition: form-data; name="__proto__"; filename="a.jpg"', photo),
          part('Content-Disposition: form-data; name="constructor"', noise),
          end,
        ]),
      };
    case 8:
      return { type, body: Buffer.concat([part(`X-Long: ${'x'.repeat(90_000)}`, photo), end]) };
    default:
      return {
        type,
        body: Buffer.concat([
          ...Array.from({ length: 1 + random(120) }, () => part(disposition, Buffer.alloc(0))),
          random(2) === 0 ? end : Buffer.alloc(0),
        ]),
      };
  }
}

/** Sends the form. Returns the reply's status, or 0 if the connection was cut as intended. */
export function sendBrokenForm(url: string, token: string, form: BrokenForm): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': form.type, 'content-length': form.body.length };
    const request = http.request(url, { method: 'POST', headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
      answer.on('error', () => resolve(answer.statusCode ?? 0));
    });
    request.on('error', (error) => (form.cutAfter === undefined ? reject(error) : resolve(0)));
    if (form.cutAfter === undefined) request.end(form.body);
    else request.write(form.body.subarray(0, form.cutAfter), () => request.destroy());
  });
}
