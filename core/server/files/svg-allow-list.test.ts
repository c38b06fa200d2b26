import { describe, expect, it } from 'vitest';
import { ServerError } from '../kernel/server-error.ts';
import { looksLikeSvg, safeSvg } from './svg-allow-list.ts';

const svg = (inside: string, attributes = ''): string =>
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10" ' +
  `${attributes}>${inside}</svg>`;

const hostile: Readonly<Record<string, string>> = {
  'a script': svg('<script>alert(1)</script><rect/>'),
  'a script in another namespace': svg('<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>'),
  'an event handler': svg('<rect onclick="alert(1)"/>', 'onload="alert(1)"'),
  'a javascript link': svg('<a xlink:href="javascript:alert(1)"><text>x</text></a>'),
  'foreign content': svg('<foreignObject><iframe src="https://evil.test"/></foreignObject>'),
  'an outside image': svg('<image href="https://evil.test/x.png"/>'),
  'an outside filter image': svg('<filter id="f"><feImage href="https://evil.test/x"/></filter>'),
  'an outside use': svg('<use xlink:href="https://evil.test/x.svg#a"/>'),
  'an outside paint': svg('<rect fill="url(https://evil.test/x#a)"/>'),
  'an escaped outside paint': svg('<rect fill="u\\72l(https://evil.test/x)"/>'),
  'a style sheet': svg('<style>@import url(https://evil.test)</style>'),
  'a style attribute': svg('<rect style="background:url(https://evil.test)"/>'),
  'an animation that sets a link': svg('<a><animate attributeName="href" values="javascript:alert(1)"/></a>'),
  'a data address': svg('<rect fill="url(data:image/svg+xml;base64,PHN2Zz4=)"/>'),
  'a processing instruction': `<?xml-stylesheet href="https://evil.test"?>${svg('<rect/>')}`,
  'a comment': svg('<!-- <script>alert(1)</script> --><rect/>'),
  'character data': svg('<desc><![CDATA[<script>alert(1)</script>]]></desc>'),
};

describe('safeSvg', () => {
  it.each(Object.entries(hostile))('lets nothing through of %s', (_, source) => {
    const safe = safeSvg(source);
    expect(safe).toMatch(/^<svg xmlns/);
    expect(safe).not.toMatch(
      /<script|onload|onclick|javascript:|evil\.test|foreignobject|iframe|<style|style=|data:|<\?|<!--/i,
    );
  });

  it('keeps shapes, text, gradients, clips and what refers to them', () => {
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><defs><linearGradient id="g" ' +
      'gradientUnits="userSpaceOnUse"><stop offset="0" stop-color="#f00"></stop></linearGradient><clipPath ' +
      'id="c"><path ' +
      'd="M0 0h5v5z"></path></clipPath></defs><g transform="scale(2)" clip-path="url(#c)"><rect width="5" height="5" ' +
      'fill="url(#g)"></rect><text x="1" y="2">P&amp;ID &lt;1&gt;</text></g></svg>';
    expect(safeSvg(drawing)).toBe(drawing);
    expect(safeSvg(safeSvg(drawing))).toBe(drawing);
  });

  it.each([
    [
      'entities',
      '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg ' +
        'xmlns="http://www.w3.org/2000/svg"><text>&b;</text></svg>',
      /DOCTYPE/,
    ],
    [
      'outside entities',
      '<!DOCTYPE svg SYSTEM "file:///etc/passwd"><svg xmlns="http://www.w3.org/2000/svg"/>',
      /DOCTYPE/,
    ],
    ['unknown entities', svg('<text>&nbsp;</text>'), /well-formed/],
    ['an open element', '<svg xmlns="http://www.w3.org/2000/svg"><g>', /well-formed/],
    ['a page', '<html><svg xmlns="http://www.w3.org/2000/svg"/></html>', /no SVG/],
    ['a drawing without namespace', '<svg><rect/></svg>', /no SVG/],
    ['nothing', '', /well-formed/],
    ['depth without end', svg('<g>'.repeat(200) + '</g>'.repeat(200)), /too many/],
    ['elements without end', svg('<g/>'.repeat(60_000)), /too many/],
  ])('refuses %s with a sentence', (_, source, sentence) => {
    expect(() => safeSvg(source)).toThrow(ServerError);
    expect(() => safeSvg(source)).toThrow(sentence);
  });

  it('reads a drawing of 40,000 paths', () => {
    expect(safeSvg(svg('<path d="M0 0h10v10z" fill="#f00"/>'.repeat(40_000))).match(/<path/g)).toHaveLength(40_000);
  });
});

describe('looksLikeSvg', () => {
  it.each([
    svg(''),
    `\uFEFF<?xml version="1.0"?>\n<!-- made by hand -->\n${svg('')}`,
    '<!DOCTYPE svg PUBLIC "x" "y"><svg/>',
    '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>',
  ])('knows %s', (text) => {
    expect(looksLikeSvg(Buffer.from(text))).toBe(true);
  });

  it.each(['<html><svg></svg></html>', 'svg', '', '<svgx/>', '\x00<svg>'])('does not take %j for one', (text) => {
    expect(looksLikeSvg(Buffer.from(text))).toBe(false);
  });
});
