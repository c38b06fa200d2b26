import { readFile, stat } from 'node:fs/promises';
import { findNodeAtLocation, parseTree, printParseErrorCode, visit, type Node, type ParseError } from 'jsonc-parser';
import { CliError, exitCodes, type Problem } from '../cli-error.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export interface ProfileFile {
  /** Absolute path. */
  readonly file: string;
  readonly value: JsonObject;
  /** The 1-based line of a value, or of the nearest enclosing value if the file does not contain it. */
  findLine(pointer: string): number;
}

/** The remedy for a file that is empty or not a JSON object. */
const startFromCopy = 'Start from a copy of profiles/default.json.';

/**
 * Reads one file as strict JSON in UTF-8, with or without a byte order mark.
 *
 * @param createMissingError creates the error for a missing file
 * @throws CliError with all problems of the file, each with its line
 */
export async function readProfileFile(
  file: string,
  createMissingError: (cause: unknown) => Promise<CliError>,
): Promise<ProfileFile> {
  if ((await stat(file).catch(() => undefined))?.isDirectory())
    throw new CliError(exitCodes.invalidProfile, [
      { file, cause: 'It is a folder, not a profile.', remedy: 'Name a profile, or the file of one.' },
    ]);
  const content = await readFile(file).catch(async (cause: unknown) => {
    if (isMissingFile(cause)) throw await createMissingError(cause);
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw createFileError(file, [
      { cause: `It cannot be read: ${reason}.`, remedy: 'Give this account the right to read it.' },
    ]);
  });
  const text = decodeText(file, content);
  if (text.trim() === '')
    throw createFileError(file, [{ pointer: '', cause: 'The file is empty.', remedy: startFromCopy }]);
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const problems = [...findSyntaxProblems(text, errors), ...(tree ? findDuplicateKeys(text, tree) : [])];
  if (problems.length > 0) throw createFileError(file, problems);
  if (tree?.type !== 'object')
    throw createFileError(file, [
      { pointer: '', line: 1, cause: 'A profile must be a JSON object.', remedy: startFromCopy },
    ]);
  return {
    file,
    value: JSON.parse(text) as JsonObject,
    findLine: (pointer) => computeLine(text, findOffset(tree, pointer)),
  };
}

/** Decodes UTF-8 and removes the byte order mark. */
function decodeText(file: string, content: Buffer): string {
  const [firstByte = 1, secondByte = 1] = content;
  const isUtf16 = (firstByte === 0xff && secondByte === 0xfe) || (firstByte === 0xfe && secondByte === 0xff);
  if (isUtf16 || (content.length > 1 && (firstByte === 0) !== (secondByte === 0)))
    throw createFileError(file, [
      { cause: 'The file is encoded as UTF-16.', remedy: 'Save it as UTF-8; an editor offers that under "Save as".' },
    ]);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    const text = new TextDecoder('utf-8').decode(content);
    throw createFileError(file, [
      {
        line: computeLine(text, text.indexOf('\u{fffd}')),
        cause: 'The file is not encoded as UTF-8. The first wrong character is often a letter with an accent.',
        remedy: 'Save it as UTF-8; an editor offers that under "Save as".',
      },
    ]);
  }
}

/** The first syntax error and all comments. Later errors are mostly consequences of the first. */
function findSyntaxProblems(text: string, errors: readonly ParseError[]): readonly Omit<Problem, 'file'>[] {
  const comments: Omit<Problem, 'file'>[] = [];
  visit(text, {
    onComment: (offset) =>
      comments.push({
        line: computeLine(text, offset),
        cause: 'There is a comment, which JSON does not allow.',
        remedy: 'Remove the comment.',
      }),
  });
  // Parses again with comments allowed, because comments are reported separately.
  const syntaxErrors: ParseError[] = [];
  parseTree(text, syntaxErrors, { disallowComments: false, allowTrailingComma: false });
  const [error] = comments.length > 0 ? syntaxErrors : errors;
  if (error === undefined) return comments;
  const line = computeLine(text, error.offset);
  const [cause, remedy] = syntaxProblems[printParseErrorCode(error.error)] ?? otherSyntaxProblem;
  const textBefore = text.slice(text.lastIndexOf('\n', error.offset - 1) + 1, error.offset);
  return [...comments, { line, cause: `${cause} (line ${line}, column ${textBefore.length + 1}).`, remedy }];
}

const otherSyntaxProblem = ['It is not JSON', 'Correct the error, which an editor marks.'] as const;
const syntaxProblems: Readonly<Record<string, readonly [cause: string, remedy: string]>> = {
  CommaExpected: ['It is not JSON: a comma is missing before this position', 'Put a comma after the previous value.'],
  ColonExpected: ['It is not JSON: a colon is missing', 'Write a setting as "name": value.'],
  PropertyNameExpected: [
    'It is not JSON: a name in double quotes is missing, such as after an extra comma',
    'Remove the comma, or write the name of the setting in double quotes.',
  ],
  ValueExpected: [
    'It is not JSON: a value is missing, such as after an extra comma',
    'Write the value, or remove the comma.',
  ],
  CloseBraceExpected: ['It is not JSON: a closing } is missing', 'Close each { with a }.'],
  CloseBracketExpected: ['It is not JSON: a closing ] is missing', 'Close each [ with a ].'],
  EndOfFileExpected: [
    'It is not JSON: there is something after the end of the object',
    'Remove the text after the last }.',
  ],
  InvalidSymbol: [
    'It is not JSON: there is a word without quotes',
    'Write texts in double quotes; without quotes there are only numbers, true, false and null.',
  ],
  UnexpectedEndOfString: [
    'It is not JSON: a text has no closing quote',
    'Close it with a double quote in the same line.',
  ],
  InvalidCharacter: ['It is not JSON: a text has a control character', 'Write a tab as \\t and a line break as \\n.'],
  InvalidEscapeCharacter: [
    'It is not JSON: there is a backslash before a character that needs none',
    'Write a backslash as \\\\, and paths with forward slashes.',
  ],
};

/** Finds duplicate keys, of which the last would silently replace the others. */
function findDuplicateKeys(text: string, node: Node, pointer = ''): readonly Omit<Problem, 'file'>[] {
  const firstLines = new Map<string, number>();
  return (node.children ?? []).flatMap((child, index) => {
    const [key, value] = node.type === 'object' ? (child.children ?? []) : [undefined, child];
    const name = key === undefined ? String(index) : String(key.value);
    const keyPointer = `${pointer}/${escapePointer(name)}`;
    const nestedProblems = value === undefined ? [] : findDuplicateKeys(text, value, keyPointer);
    if (key === undefined) return nestedProblems;
    const firstLine = firstLines.get(name);
    if (firstLine === undefined) firstLines.set(name, computeLine(text, key.offset));
    const problem = {
      pointer: keyPointer,
      line: computeLine(text, key.offset),
      cause: `"${name}" is in the same object twice, first in line ${firstLine}. Only the last value would count.`,
      remedy: 'Remove one of them, or merge their values.',
    };
    return firstLine === undefined ? nestedProblems : [problem, ...nestedProblems];
  });
}

function findOffset(tree: Node, pointer: string): number {
  const segments = pointer.split('/').slice(1).map(unescapePointer);
  for (let length = segments.length; length > 0; length--) {
    const node = findNodeAt(tree, segments.slice(0, length));
    if (node !== undefined) return (node.parent?.type === 'property' ? node.parent : node).offset;
  }
  return tree.offset;
}

function findNodeAt(tree: Node, segments: readonly string[]): Node | undefined {
  return segments.reduce<Node | undefined>(
    (node, segment) => node && findNodeAtLocation(node, [node.type === 'array' ? Number(segment) : segment]),
    tree,
  );
}

export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
const unescapePointer = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

const computeLine = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

function isMissingFile(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR');
}

function createFileError(file: string, problems: readonly Omit<Problem, 'file'>[]): CliError {
  return new CliError(
    exitCodes.invalidProfile,
    problems.map((problem) => ({ file, ...problem })),
  );
}
