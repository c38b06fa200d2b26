import { validationMessages, type Rule } from './validation-error.ts';

/** Checks a file name's extension, ignoring case: `fileType(['xlsx'])`. The server checks the content. */
export function fileType(extensions: readonly string[]): Rule<{ readonly name: string } | string | undefined> {
  const allowedExtensions = new Set(extensions.map((extension) => extension.replace(/^\./, '').toLowerCase()));
  return (file) => {
    if (file === undefined || file === '') return undefined;
    const name = typeof file === 'string' ? file : file.name;
    const point = name.lastIndexOf('.');
    return point > 0 && allowedExtensions.has(name.slice(point + 1).toLowerCase())
      ? undefined
      : { message: validationMessages.fileType };
  };
}
