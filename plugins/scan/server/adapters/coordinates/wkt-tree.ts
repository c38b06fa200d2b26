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
  readonly punctuation?: string;
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
  const isPunctuation = (text: string): boolean => tokens[index]?.punctuation === text;

  const parseNode = (depth: number): WktNode | undefined => {
    const keywordToken = tokens[index];
    if (keywordToken?.name === undefined || depth > maxDepth) return undefined;
    index += 2;
    const values: (string | number)[] = [];
    const children: WktNode[] = [];
    while (index < tokens.length && !isPunctuation(']') && !isPunctuation(')')) {
      const nextToken = tokens[index]!;
      const nextPunctuation = tokens[index + 1]?.punctuation;
      if (nextToken.name !== undefined && (nextPunctuation === '[' || nextPunctuation === '(')) {
        const child = parseNode(depth + 1);
        if (child === undefined) return undefined;
        children.push(child);
      } else {
        const value = nextToken.text ?? nextToken.name ?? nextToken.number;
        if (value === undefined) return undefined;
        values.push(value);
        index++;
      }
      if (isPunctuation(',')) index++;
    }
    const closingToken = tokens[index];
    if (closingToken === undefined) return undefined;
    index++;
    return {
      keyword: keywordToken.name.toUpperCase(),
      values,
      children,
      text: source.slice(keywordToken.start, closingToken.end),
    };
  };

  if (tokens[1]?.punctuation !== '[' && tokens[1]?.punctuation !== '(') return undefined;
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
      ...(mark === undefined ? {} : { punctuation: mark }),
    });
  }
  return tokens;
}
