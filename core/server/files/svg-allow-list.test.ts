import { describe, expect, it } from 'vitest';
import { ServerError } from '../kernel/server-error.ts';
import { looksLikeSvg, reduceSvg, sanitiseSvg } from './svg-allow-list.ts';

const buildSvg = (content: string, attributes = ''): string =>
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10" ' +
  `${attributes}>${content}</svg>`;

const hostile: Readonly<Record<string, string>> = {
  'a script': buildSvg('<script>alert(1)</script><rect/>'),
  'a script in another namespace': buildSvg('<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>'),
  'an event handler': buildSvg('<rect onclick="alert(1)"/>', 'onload="alert(1)"'),
  'a javascript link': buildSvg('<a xlink:href="javascript:alert(1)"><text>x</text></a>'),
  'foreign content': buildSvg('<foreignObject><iframe src="https://evil.test"/></foreignObject>'),
  'an outside image': buildSvg('<image href="https://evil.test/x.png"/>'),
  'an outside filter image': buildSvg('<filter id="f"><feImage href="https://evil.test/x"/></filter>'),
  'an outside use': buildSvg('<use xlink:href="https://evil.test/x.svg#a"/>'),
  'an outside paint': buildSvg('<rect fill="url(https://evil.test/x#a)"/>'),
  'an escaped outside paint': buildSvg('<rect fill="u\\72l(https://evil.test/x)"/>'),
  'a style sheet': buildSvg('<style>@import url(https://evil.test)</style>'),
  'a style attribute': buildSvg('<rect style="background:url(https://evil.test)"/>'),
  'an animation that sets a link': buildSvg('<a><animate attributeName="href" values="javascript:alert(1)"/></a>'),
  'a data address': buildSvg('<rect fill="url(data:image/svg+xml;base64,PHN2Zz4=)"/>'),
  'a processing instruction': `<?xml-stylesheet href="https://evil.test"?>${buildSvg('<rect/>')}`,
  'a prefixed script': buildSvg('<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>'),
  'an encoded javascript link': buildSvg('<a xlink:href="java&#10;&#115;cript:alert(1)"><text>x</text></a>'),
  'a set of a link': buildSvg('<a><set attributeName="xlink:href" to="javascript:alert(1)"/></a>'),
  'an outside mask': buildSvg('<rect mask="url(https://evil.test/m.svg#m)"/>'),
  'an outside mask of an image set': buildSvg('<rect mask="image-set(\'https://evil.test/m.png\' 1x)"/>'),
  'an outside filter': buildSvg('<rect filter="url(https://evil.test/f.svg#f)"/>'),
  'an outside gradient': buildSvg('<linearGradient id="a" href="https://evil.test/g.svg#g"/>'),
  'a comment': buildSvg('<!-- <script>alert(1)</script> --><rect/>'),
  'character data': buildSvg('<desc><![CDATA[<script>alert(1)</script>]]></desc>'),
};

describe('sanitiseSvg', () => {
  it.each(Object.entries(hostile))('removes all of %s', (_, source) => {
    const safe = sanitiseSvg(source);
    expect(safe).toMatch(/^<svg xmlns/);
    expect(safe).not.toMatch(
      /<script|onload|onclick|javascript:|evil\.test|foreignobject|iframe|<style|style=|data:|<\?|<!--/i,
    );
  });

  it('keeps shapes, text, gradients, clip paths and references to them', () => {
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><defs><linearGradient id="g" ' +
      'gradientUnits="userSpaceOnUse"><stop offset="0" stop-color="#f00"></stop></linearGradient><clipPath ' +
      'id="c"><path ' +
      'd="M0 0h5v5z"></path></clipPath></defs><g transform="scale(2)" clip-path="url(#c)"><rect width="5" height="5" ' +
      'fill="url(#g)"></rect><text x="1" y="2">P&amp;ID &lt;1&gt;</text></g></svg>';
    expect(sanitiseSvg(drawing)).toBe(drawing);
    expect(sanitiseSvg(sanitiseSvg(drawing))).toBe(drawing);
  });

  it('keeps the prefixes, style attributes and linked gradients of drawing programs', () => {
    const drawing =
      '<svg:svg xmlns:svg="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ' +
      'xmlns:ink="http://www.inkscape.org/namespaces/inkscape" viewBox="0 0 10 10" data-name="Layer (1)">' +
      '<ink:view zoom="2"/><svg:metadata><x xmlns="urn:x"/></svg:metadata>' +
      '<svg:linearGradient id="b" xlink:href="#a"/>' +
      '<svg:path ink:label="x" fill="red" style="fill:url(#b);-ink-font:x;stroke : #fff !important" d="M0 0"/></svg:svg>';
    expect(reduceSvg(drawing)).toEqual({
      svg:
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><linearGradient id="b" href="#a">' +
        '</linearGradient><path fill="url(#b)" d="M0 0" stroke="#fff"></path></svg>',
      removed: [],
    });
  });

  it('reports removed parts except parts without effect', () => {
    const drawing = buildSvg(
      '<style>a{}</style><g onclick="x()" style="fill:url(http://evil.test)" aria-label="a (b)"><use href="#a"/></g>',
    );
    expect(reduceSvg(`<?xml-stylesheet href="a.css"?>${drawing}`).removed).toEqual([
      { kind: 'instruction', name: 'xml-stylesheet' },
      { kind: 'element', name: 'style' },
      { kind: 'attribute', name: 'onclick' },
      { kind: 'address', name: 'style' },
      { kind: 'element', name: 'use' },
    ]);
  });

  it.each([
    ['letters', 'a'.repeat(1_000_000)],
    ['brackets', '('.repeat(1_000_000)],
    ['addresses', 'url('.repeat(250_000)],
    ['spaces', `fill:${' '.repeat(1_000_000)}x`],
    ['declarations', 'fill:red;'.repeat(100_000)],
  ])('reads an attribute of a million %s within five seconds', (_, value) => {
    const startedAt = performance.now();
    sanitiseSvg(buildSvg(`<path fill="${value}" style="${value}" title="${value}"/>`));
    expect(performance.now() - startedAt).toBeLessThan(5000);
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
    ['unknown entities', buildSvg('<text>&nbsp;</text>'), /well-formed/],
    ['an open element', '<svg xmlns="http://www.w3.org/2000/svg"><g>', /well-formed/],
    ['a page', '<html><svg xmlns="http://www.w3.org/2000/svg"/></html>', /not an SVG/],
    ['a drawing without namespace', '<svg><rect/></svg>', /not an SVG/],
    ['nothing', '', /well-formed/],
    ['depth without end', buildSvg('<g>'.repeat(200) + '</g>'.repeat(200)), /too many/],
    ['elements without end', buildSvg('<g/>'.repeat(60_000)), /too many/],
  ])('refuses %s with a readable message', (_, source, sentence) => {
    expect(() => sanitiseSvg(source)).toThrow(ServerError);
    expect(() => sanitiseSvg(source)).toThrow(sentence);
  });

  it('reads a drawing of 40,000 paths', () => {
    expect(sanitiseSvg(buildSvg('<path d="M0 0h10v10z" fill="#f00"/>'.repeat(40_000))).match(/<path/g)).toHaveLength(
      40_000,
    );
  });
});

describe('looksLikeSvg', () => {
  it.each([
    buildSvg(''),
    `\uFEFF<?xml version="1.0"?>\n<!-- made by hand -->\n${buildSvg('')}`,
    '<!DOCTYPE svg PUBLIC "x" "y"><svg/>',
    '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>',
  ])('recognises %s', (text) => {
    expect(looksLikeSvg(Buffer.from(text))).toBe(true);
  });

  it.each(['<html><svg></svg></html>', 'svg', '', '<svgx/>', '\x00<svg>'])('does not recognise %j', (text) => {
    expect(looksLikeSvg(Buffer.from(text))).toBe(false);
  });
});
