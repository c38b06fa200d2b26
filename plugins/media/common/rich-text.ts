import { Lexer, type Token, type Tokens } from 'marked';

export type RichInline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'strong' | 'emphasis'; readonly children: readonly RichInline[] }
  | { readonly kind: 'link'; readonly href: string; readonly children: readonly RichInline[] };

export type RichBlock =
  | { readonly kind: 'heading'; readonly level: 2 | 3; readonly children: readonly RichInline[] }
  | { readonly kind: 'paragraph'; readonly children: readonly RichInline[] }
  | {
      readonly kind: 'list';
      readonly ordered: boolean;
      readonly start: number;
      readonly items: readonly (readonly RichBlock[])[];
    };

/** Deeper lists and quotes are shown as their Markdown source. */
const maxDepth = 8;

const linkProtocols: readonly string[] = ['https:', 'http:', 'mailto:', 'tel:'];

/** Allows links to web pages, mail addresses and phone numbers. Refuses scripts, data URLs and relative URLs. */
export const isAllowedLink = (href: string): boolean =>
  URL.canParse(href) && linkProtocols.includes(new URL(href).protocol);

/**
 * Parses Markdown into headings, paragraphs, lists, bold, italic and links. Everything else becomes plain text,
 * including HTML. A link that is not allowed is replaced by its text.
 */
export const parseRichText = (source: string): readonly RichBlock[] => toBlocks(lex(source), 0);

/** Lists the URLs of the links that are not allowed. */
export function listRefusedLinks(source: string): readonly string[] {
  const refusedLinks: string[] = [];
  const visit = (tokens: readonly Token[] = []): void => {
    for (const token of tokens) {
      if (token.type === 'link' && !isAllowedLink(token['href'] as string)) refusedLinks.push(token['href'] as string);
      visit(token.type === 'list' ? (token as Tokens.List).items : (token as Tokens.Generic).tokens);
    }
  };
  visit(lex(source));
  return refusedLinks;
}

function lex(source: string): readonly Token[] {
  // The lexer recurses once for each mark at the beginning of a line, so deeply nested text stays unparsed.
  const isDeep = source
    .split('\n')
    .some((line) => (/^(?:[ \t]*(?:[-*+>]|\d+[.)])[ \t]?)+/.exec(line)?.[0].length ?? 0) > 64);
  if (isDeep)
    return [{ type: 'paragraph', raw: source, text: source, tokens: [{ type: 'text', raw: source, text: source }] }];
  return new Lexer({ gfm: true, breaks: true }).lex(source);
}

const toBlocks = (tokens: readonly Token[], depth: number): readonly RichBlock[] =>
  tokens.flatMap((token): readonly RichBlock[] => {
    const { type, raw, tokens: children = [] } = token as Tokens.Generic;
    if (type === 'space' || type === 'def' || type === 'hr' || type === 'checkbox') return [];
    if (type === 'heading')
      return [{ kind: 'heading', level: (token as Tokens.Heading).depth <= 2 ? 2 : 3, children: toInlines(children) }];
    if (type === 'list' && depth < maxDepth) {
      const { ordered, start, items } = token as Tokens.List;
      return [
        {
          kind: 'list',
          ordered,
          start: Number(start) || 1,
          items: items.map((item) => toBlocks(item.tokens, depth + 1)),
        },
      ];
    }
    if (type === 'blockquote' && depth < maxDepth) return toBlocks(children, depth + 1);
    if (type === 'paragraph' || type === 'text')
      return [{ kind: 'paragraph', children: children.length > 0 ? toInlines(children) : toLines(raw) }];
    return [{ kind: 'paragraph', children: toLines(raw) }];
  });

const toInlines = (tokens: readonly Token[]): readonly RichInline[] =>
  tokens.flatMap((token): readonly RichInline[] => {
    const { type, raw, text, href, tokens: children = [] } = token as Tokens.Generic;
    if (type === 'br') return [{ kind: 'break' }];
    if (type === 'strong') return [{ kind: 'strong', children: toInlines(children) }];
    if (type === 'em') return [{ kind: 'emphasis', children: toInlines(children) }];
    if (type === 'link' && isAllowedLink(href as string))
      return [{ kind: 'link', href: href as string, children: toInlines(children) }];
    if (type === 'link' || type === 'del') return toInlines(children);
    if (type === 'text' && children.length > 0) return toInlines(children);
    if (type === 'escape' || type === 'text' || type === 'codespan') return toLines(text as string);
    return toLines(raw);
  });

const toLines = (text: string): readonly RichInline[] =>
  text
    .trimEnd()
    .split('\n')
    .flatMap((line, index): readonly RichInline[] => [
      ...(index === 0 ? [] : [{ kind: 'break' } as const]),
      { kind: 'text', text: line === text.trimEnd() ? text : line },
    ]);
