import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAllowedLink, listRefusedLinks, parseRichText, type RichBlock, type RichInline } from './rich-text.ts';

const listLinks = (nodes: readonly (RichBlock | RichInline)[]): readonly string[] =>
  nodes.flatMap((node) => [
    ...(node.kind === 'link' ? [node.href] : []),
    ...('children' in node ? listLinks(node.children) : []),
    ...('items' in node ? node.items.flatMap(listLinks) : []),
  ]);
const text = (value: string) => ({ kind: 'text', text: value });

describe('rich text', () => {
  it('has headings, paragraphs with lines, lists, bold, italic and links', () => {
    const source =
      '# Welcome\n### Gate\nMind **the _step_**.\nCall [us](tel:+4755501234)\n\n1. Hat\n2. Boots\n   - steel\n\n- Map';
    expect(parseRichText(source)).toEqual([
      { kind: 'heading', level: 2, children: [text('Welcome')] },
      { kind: 'heading', level: 3, children: [text('Gate')] },
      {
        kind: 'paragraph',
        children: [
          text('Mind '),
          { kind: 'strong', children: [text('the '), { kind: 'emphasis', children: [text('step')] }] },
          text('.'),
          { kind: 'break' },
          text('Call '),
          { kind: 'link', href: 'tel:+4755501234', children: [text('us')] },
        ],
      },
      {
        kind: 'list',
        ordered: true,
        start: 1,
        items: [
          [{ kind: 'paragraph', children: [text('Hat')] }],
          [
            { kind: 'paragraph', children: [text('Boots')] },
            {
              kind: 'list',
              ordered: false,
              start: 1,
              items: [[{ kind: 'paragraph', children: [text('steel')] }]],
            },
          ],
        ],
      },
      { kind: 'list', ordered: false, start: 1, items: [[{ kind: 'paragraph', children: [text('Map')] }]] },
    ]);
  });

  it.each([
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](java\\script:alert(1))',
    '[a](&#106;avascript:alert(1))',
    '[a](<data:text/html,alert(1)>)',
    '[a](vbscript:x)',
    '[a](//evil.example)',
    '[a](/dashboard/logout)',
    '[a][1]\n\n[1]: javascript:alert(1)',
    '- > **[a](blob:x)**',
  ])('has no link from %s', (source) => {
    expect(listLinks(parseRichText(source))).toEqual([]);
    expect(listRefusedLinks(source)).toHaveLength(1);
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b style="position:fixed">b</b>',
    '<svg><animate onbegin=alert(1)></svg>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--><img src=1 onerror=alert(1)>">',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '![x](https://example.test/x.png)',
    '`<i>`',
  ])('has %s as text alone', (source) => {
    const kinds = new Set(JSON.stringify(parseRichText(source)).match(/"kind":"(\w+)"/g));
    expect([...kinds].toSorted()).toEqual(['"kind":"paragraph"', '"kind":"text"']);
  });

  it('parses any text into blocks without forbidden links, including deep and long texts', () => {
    const pieces = fc.constantFrom(
      '*',
      '_',
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '- ',
      '1. ',
      '> ',
      '#',
      '\n',
      ' ',
      'a',
      '`',
      'x:',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 120 }), (parts) => {
        expect(listLinks(parseRichText(parts.join(''))).filter((href) => !isAllowedLink(href))).toEqual([]);
      }),
      { numRuns: 200 },
    );
    for (const part of ['- 1. ', '> ', '*a **b ', '[', '1. a ', '<a ', '[a](', '_', '| a '])
      expect(() => parseRichText(part.repeat(5000 / part.length))).not.toThrow();
  });
});
