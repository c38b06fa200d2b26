/** One element of a WKT text, `KEYWORD[values and children]`. */
export interface WktNode {
  /** Upper case. */
  readonly keyword: string;
  /** Strings, numbers and names such as `EAST`, in order. */
  readonly values: readonly (string | number)[];
  readonly children: readonly WktNode[];
  /** The source text of the element. */
  readonly text: string;
}

const maxDepth = 32;
const maxLength = 200_000;
const tokenPattern = /\s*(?:"((?:[^"]|"")*)"|([A-Za-z_]\w*)|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([[\](),]))/y;

interface Token {
  readonly text?: string;
  readonly name?: string;
  readonly number?: number;
  /** A bracket or a comma. */
  readonly mark?: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Parses WKT 1 and 2 of a coordinate system (OGC 01-009, ISO 19162); undefined if malformed. Published parsers drop the
 * vertical unit of compound systems and do not support geocentric systems.
 */
export function parseWkt(source: string): WktNode | undefined {
  if (source.length > maxLength) return undefined;
  const tokens = parseTokens(source);
  if (tokens === undefined) return undefined;
  let index = 0;
  const isMark = (mark: string): boolean => tokens[index]?.mark === mark;

  const parseNode = (depth: number): WktNode | undefined => {
    const head = tokens[index];
    if (head?.name === undefined || depth > maxDepth) return undefined;
    index += 2;
    const values: (string | number)[] = [];
    const children: WktNode[] = [];
    while (index < tokens.length && !isMark(']') && !isMark(')')) {
      const next = tokens[index]!;
      const markAfter = tokens[index + 1]?.mark;
      if (next.name !== undefined && (markAfter === '[' || markAfter === '(')) {
        const child = parseNode(depth + 1);
        if (child === undefined) return undefined;
        children.push(child);
      } else {
        const value = next.text ?? next.name ?? next.number;
        if (value === undefined) return undefined;
        values.push(value);
        index++;
      }
      if (isMark(',')) index++;
    }
    const last = tokens[index];
    if (last === undefined) return undefined;
    index++;
    return { keyword: head.name.toUpperCase(), values, children, text: source.slice(head.start, last.end) };
  };

  if (tokens[1]?.mark !== '[' && tokens[1]?.mark !== '(') return undefined;
  return parseNode(0);
}

function parseTokens(source: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  const text = source.replace(/[\0\s]+$/, '');
  for (let position = 0; position < text.length;) {
    tokenPattern.lastIndex = position;
    const match = tokenPattern.exec(text);
    if (!match) return undefined;
    const [whole, quoted, name, number, mark] = match;
    const start = position + whole.length - whole.trimStart().length;
    position = tokenPattern.lastIndex;
    tokens.push({
      start,
      end: position,
      ...(quoted === undefined ? {} : { text: quoted.replaceAll('""', '"') }),
      ...(name === undefined ? {} : { name }),
      ...(number === undefined ? {} : { number: Number(number) }),
      ...(mark === undefined ? {} : { mark }),
    });
  }
  return tokens;
}
