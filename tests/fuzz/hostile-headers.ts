import fc from 'fast-check';

/** An unsigned token, which is invalid. */
const forgedToken = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"x","exp":9e9}').toString('base64url')}.`;

const valuesByHeader: Readonly<Record<string, readonly string[]>> = {
  'content-type': [
    'text/plain',
    'application/json; charset=utf-16',
    'application/json;',
    'application/json; charset',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/octet-stream',
    'a/b/c',
    ';',
    `application/json; x=${'y'.repeat(3000)}`,
  ],
  range: [
    'bytes=0-',
    'bytes=-1',
    'bytes=-0',
    'bytes=9999999999999999-',
    'bytes=0-1,3-4',
    'bytes=5-1',
    'bytes=a-b',
    'lines=1-2',
    'bytes',
  ],
  'if-none-match': ['*', '"x"', 'W/"x"', '"', ','.repeat(3000), 'x', '"a", W/"b", *'],
  'if-range': ['"x"', 'W/"x"', 'Wed, 21 Oct 2015 07:28:00 GMT', 'x'],
  'if-modified-since': ['Wed, 21 Oct 2015 07:28:00 GMT', 'never'],
  'accept-language': ['fr', 'fr;q=abc', '*;q=0', ',,,', 'x'.repeat(3000), 'fr-'.repeat(500), 'en;q=1e400'],
  'accept-encoding': ['gzip', 'br;q=0, *;q=0', 'identity;q=0', ';q', 'gzip;q=x', 'deflate, zstd'],
  accept: ['text/event-stream', '*/*;q=', 'a'],
  'last-event-id': ['1', '-1', 'NaN', '1e400', 'a:b:c', '9'.repeat(400), '\xff'],
  cookie: [
    'refreshToken=x',
    'fileTicket=x.y.z',
    `fileTicket=${forgedToken}`,
    'codeRequest=x',
    'codeRequest=%00; refreshToken=%00; fileTicket=%00',
    '__Host-refreshToken=%',
    '=;=;=',
    'a=%zz',
    '__proto__=1; constructor=2',
    `refreshToken=${'y'.repeat(6000)}`,
  ],
  authorization: [
    'Bearer',
    'Bearer ',
    'Bearer x',
    'Bearer x.y.z',
    `Bearer ${forgedToken}`,
    'Basic YTpi',
    'bearer \xff',
    `Bearer ${'y'.repeat(6000)}`,
  ],
  'x-token-transport': ['json', 'cookie', 'x', ''],
  'x-forwarded-for': ['1.2.3.4', 'x, y', '::1%eth0', ','],
  'x-forwarded-proto': ['https', 'x'],
  origin: ['null', 'https://evil.example', 'x'],
  'content-encoding': ['gzip', 'br', 'x'],
  'x-http-method-override': ['DELETE'],
  forwarded: ['for="_x";proto=http'],
};

/** One to three headers that our clients never send. */
export const hostileHeaders: fc.Arbitrary<Readonly<Record<string, string>>> = fc
  .uniqueArray(fc.constantFrom(...Object.keys(valuesByHeader)), { minLength: 1, maxLength: 3 })
  .chain((names) =>
    fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom(...valuesByHeader[name]!)]))),
  );
