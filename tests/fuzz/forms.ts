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

/** Writes a name without escapes, like a program that ignores the encoding rules. */
const toFieldName = (text: string): string => text.replaceAll(/[\r\n"]/g, '_');

export function buildForm(files: readonly FormFile[], fields: Readonly<Record<string, string>>): Form {
  const parts = [
    ...Object.entries(fields).map(([name, value]) =>
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${toFieldName(name)}"\r\n\r\n${value}\r\n`),
    ),
    ...files.flatMap(({ field, name, bytes }) => [
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="${toFieldName(field)}"; filename="${toFieldName(name)}"\r\n` +
          'content-type: application/octet-stream\r\n\r\n',
      ),
      bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ];
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(parts) };
}

export const generateValidForms = ({ files, fields }: FormContent): fc.Arbitrary<Form> =>
  fc.tuple(files, fields).map(([validFiles, validFields]) => buildForm(validFiles, validFields));

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

/** Generates forms with an error in the fields, in the files or in the form itself. */
export function generateHostileForms(content: FormContent): fc.Arbitrary<Form> {
  const wrongFields = fc.tuple(content.files, hostileFields).map(([files, fields]) => buildForm(files, fields));
  const wrongFiles = fc.tuple(hostileFiles, content.fields).map(([files, fields]) => buildForm(files, fields));
  const brokenForms = fc
    .tuple(generateValidForms(content), fc.nat(), fc.constantFrom(...wrongContentTypes))
    .map(([form, at, wrongType]) => ({
      contentType: wrongType ?? form.contentType,
      body: wrongType === undefined ? form.body.subarray(0, at % (form.body.length + 1)) : form.body,
    }));
  return fc.oneof(
    { weight: 3, arbitrary: wrongFields },
    { weight: 3, arbitrary: wrongFiles },
    { weight: 2, arbitrary: brokenForms },
  );
}

const wrongContentTypes = [
  undefined,
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'b'.repeat(300)}`,
  'multipart/form-data; boundary=other',
  'multipart/mixed; boundary=fuzz-boundary',
  'application/json',
  'text/plain',
] as const;
