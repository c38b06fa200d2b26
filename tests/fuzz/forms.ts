import fc from 'fast-check';
import { hostileTexts } from './hostile-values.ts';

/** A serialised form. */
export interface Form {
  readonly contentType: string;
  readonly body: Buffer;
}

export interface FormFile {
  readonly field: string;
  readonly name: string;
  readonly bytes: Buffer;
}

/** The valid content of an endpoint's form. */
export interface FormContent {
  readonly files: fc.Arbitrary<readonly FormFile[]>;
  readonly fields: fc.Arbitrary<Readonly<Record<string, string>>>;
}

const boundary = 'fuzz-boundary';

/** Unescaped bytes, as sent by a program that ignores encoding rules. */
const raw = (text: string): string => text.replaceAll(/[\r\n"]/g, '_');

export function buildForm(files: readonly FormFile[], fields: Readonly<Record<string, string>>): Form {
  const parts = [
    ...Object.entries(fields).map(([name, value]) =>
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${raw(name)}"\r\n\r\n${value}\r\n`),
    ),
    ...files.flatMap(({ field, name, bytes }) => [
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="${raw(field)}"; filename="${raw(name)}"\r\n` +
          'content-type: application/octet-stream\r\n\r\n',
      ),
      bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ];
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(parts) };
}

export const validForms = ({ files, fields }: FormContent): fc.Arbitrary<Form> =>
  fc.tuple(files, fields).map(([given, named]) => buildForm(given, named));

const hostileFields = fc.dictionary(
  fc.oneof(
    fc.constantFrom('name', 'model', 'pose', 'place', 'stations', 'heading', '__proto__', 'file', 'a\0b', ''),
    fc.string({ maxLength: 20 }),
  ),
  fc.oneof(
    fc.constantFrom(...hostileTexts.filter((text) => text.length < 100_000)),
    fc.constantFrom('null', '[]', '{}', '1', '{"position":null}', '{"position":[1,2,1e999]}', '['.repeat(30_000)),
    fc.constant(`{"position":[0,0,0],"heading":0,"scale":1,"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`),
  ),
  { maxKeys: 4 },
);
const hostileFiles = fc.array(
  fc.record({
    field: fc.constantFrom('file', 'picture', 'thumbnail', '', 'a\0b', '__proto__'),
    name: fc.constantFrom(...hostileTexts.filter((text) => text.length < 20_000), 'N1.jpg', 'a.glb'),
    bytes: fc
      .constantFrom(
        '',
        'x',
        '\xff\xd8\xff\xe0',
        '%PDF-1.7',
        '\x89PNG\r\n\x1a\n',
        'glTF\x02\0\0\0',
        'LASF',
        'ASTM-E57',
        'PK\x03\x04',
        'ISO-10303-21;',
        '<svg xmlns="http://www.w3.org/2000/svg"/>',
        '{'.repeat(50_000),
      )
      .map((text) => Buffer.from(text, 'latin1')),
  }),
  { maxLength: 4 },
);

/** Forms with an error in fields, files or the form itself. */
export function hostileForms(content: FormContent): fc.Arbitrary<Form> {
  const wrongFields = fc.tuple(content.files, hostileFields).map(([files, fields]) => buildForm(files, fields));
  const wrongFiles = fc.tuple(hostileFiles, content.fields).map(([files, fields]) => buildForm(files, fields));
  const broken = fc.tuple(validForms(content), fc.nat(), fc.constantFrom(...wrongTypes)).map(([form, at, type]) => ({
    contentType: type ?? form.contentType,
    body: type === undefined ? form.body.subarray(0, at % (form.body.length + 1)) : form.body,
  }));
  return fc.oneof(
    { weight: 3, arbitrary: wrongFields },
    { weight: 3, arbitrary: wrongFiles },
    { weight: 2, arbitrary: broken },
  );
}

const wrongTypes = [
  undefined,
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'b'.repeat(300)}`,
  'multipart/form-data; boundary=other',
  'multipart/mixed; boundary=fuzz-boundary',
  'application/json',
  'text/plain',
] as const;
