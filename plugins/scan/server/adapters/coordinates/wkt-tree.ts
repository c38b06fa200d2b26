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
const token = /\s*(?:"((?:[^"]|"")*)"|([A-Za-z_]\w*)|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([[\](),]))/y;

interface Token {
  readonly text?: string;
  readonly name?: string;
  readonly number?: number;
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
  let at = 0;
  const is = (mark: string): boolean => tokens[at]?.mark === mark;

  const parseNode = (depth: number): WktNode | undefined => {
    const head = tokens[at];
    if (head?.name === undefined || depth > maxDepth) return undefined;
    at += 2;
    const values: (string | number)[] = [];
    const children: WktNode[] = [];
    while (at < tokens.length && !is(']') && !is(')')) {
      const next = tokens[at]!;
      const opens = tokens[at + 1]?.mark;
      if (next.name !== undefined && (opens === '[' || opens === '(')) {
        const child = parseNode(depth + 1);
        if (child === undefined) return undefined;
        children.push(child);
      } else {
        const value = next.text ?? next.name ?? next.number;
        if (value === undefined) return undefined;
        values.push(value);
        at++;
      }
      if (is(',')) at++;
    }
    const last = tokens[at];
    if (last === undefined) return undefined;
    at++;
    return { keyword: head.name.toUpperCase(), values, children, text: source.slice(head.start, last.end) };
  };

  if (tokens[1]?.mark !== '[' && tokens[1]?.mark !== '(') return undefined;
  return parseNode(0);
}

function parseTokens(source: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  const text = source.replace(/[\0\s]+$/, '');
  for (let from = 0; from < text.length;) {
    token.lastIndex = from;
    const match = token.exec(text);
    if (!match) return undefined;
    const [whole, quoted, name, number, mark] = match;
    const start = from + whole.length - whole.trimStart().length;
    from = token.lastIndex;
    tokens.push({
      start,
      end: from,
      ...(quoted === undefined ? {} : { text: quoted.replaceAll('""', '"') }),
      ...(name === undefined ? {} : { name }),
      ...(number === undefined ? {} : { number: Number(number) }),
      ...(mark === undefined ? {} : { mark }),
    });
  }
  return tokens;
}
