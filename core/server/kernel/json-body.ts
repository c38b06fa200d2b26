import type { FastifyBodyParser, FastifyInstance, FastifyRequest } from 'fastify';
import { toPointer, validationMessages } from '../../common/validators/index.ts';
import { invalidRequest, type ServerError } from './server-error.ts';
import { findUnstorableText } from './storable-text.ts';

/** The maximum nesting of objects and lists in a body. Endpoints need six levels; some thousands overflow the stack. */
export const maxJsonDepth = 32;

/** Escapes of NUL and of surrogates. Without them, JSON in UTF-8 contains only text that PostgreSQL can store. */
const suspectEscape = /\\u(?:0000|d[89a-f])/i;

type CallbackParser = (
  request: FastifyRequest,
  text: string,
  done: (error: Error | null, body?: unknown) => void,
) => void;

/**
 * Parses JSON bodies like Fastify, and refuses deep nesting and text that PostgreSQL cannot store with 400, so that
 * handlers never receive them.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error') as CallbackParser;
  const parser: CallbackParser = (request, text, done) => {
    const tooDeep = findTooDeep(text);
    if (tooDeep !== undefined) return done(createDepthError(tooDeep));
    parse(request, text, (error, body) => {
      const unstorable = error || !suspectEscape.test(text) ? undefined : findUnstorableText(body);
      if (unstorable === undefined) done(error, body);
      else done(createCharactersError('body', unstorable));
    });
  };
  app.addContentTypeParser('application/json', { parseAs: 'string' }, parser as FastifyBodyParser<string>);
}

export const createCharactersError = (partName: string, pointer: string): ServerError =>
  invalidRequest(`The ${partName}${pointer} contains characters that cannot be stored.`, [
    { pointer, message: validationMessages.characters },
  ]);

const createDepthError = (pointer: string): ServerError =>
  invalidRequest(`The body${pointer} is nested more than ${maxJsonDepth} levels deep.`, [
    { pointer, message: validationMessages.depth, values: { max: maxJsonDepth } },
  ]);

const quote = 0x22;
const backslash = 0x5c;
const openingBracket = 0x5b;
const isOpening = (code: number): boolean => code === 0x7b || code === openingBracket;
const isClosing = (code: number): boolean => code === 0x7d || code === 0x5d;

/**
 * Finds the top-level field of a JSON text that is nested too deeply, and returns its pointer; '' if the text is a
 * list. Returns undefined if no field is. Scans the text, because recursing into a value needs a stack of its depth.
 */
export function findTooDeep(text: string): string | undefined {
  if (!hasManyOpenings(text)) return undefined;
  let depth = 0;
  let name: string | undefined;
  let isList = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      const end = findClosingQuote(text, index);
      if (depth === 1 && !isList) name = text.slice(index, end + 1);
      index = end;
    } else if (isOpening(code)) {
      depth += 1;
      if (depth === 1) isList = code === openingBracket;
      if (depth > maxJsonDepth) return toFieldPointer(name);
    } else if (isClosing(code)) depth -= 1;
  }
  return undefined;
}

/** Whether a text has more opening brackets than may be nested. This quick check suffices for nearly all bodies. */
function hasManyOpenings(text: string): boolean {
  let count = 0;
  for (const bracket of ['[', '{'])
    for (let index = text.indexOf(bracket); index !== -1; index = text.indexOf(bracket, index + 1)) {
      count += 1;
      if (count > maxJsonDepth) return true;
    }
  return false;
}

/** Finds the index of the closing quote of the string that begins at `start`; the last index if there is none. */
function findClosingQuote(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length - 1;
}

function toFieldPointer(quoted: string | undefined): string {
  try {
    return quoted === undefined ? '' : toPointer(String(JSON.parse(quoted)));
  } catch {
    return '';
  }
}
