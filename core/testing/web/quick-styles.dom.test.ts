import { describe, expect, it } from 'vitest';
import { listSubjects } from './quick-styles.ts';

describe('quick styles', () => {
  it.each<readonly [string | undefined, readonly string[] | undefined]>([
    ['.f1abc', ['.f1abc']],
    ['.f1-a_b:hover:active', ['.f1-a_b']],
    ['.f1::after', ['.f1']],
    ['.f1:not(:hover, .f2)', undefined],
    ['.f1:not(.f2)', ['.f1']],
    ['.f1[data-x="y"]', ['.f1']],
    ['.f1 > .f2:hover', ['.f2']],
    ['.f1 ~ div span', ['span']],
    ['article h1,\naside h1', ['h1', 'h1']],
    ['input, .f1', ['input', '.f1']],
    ['input[type="a, b"]:focus,\nselect[disabled]>option', ['input', 'option']],
    ['.f1:not(:focus-within),.f2:hover:not(:not(.f3))', ['.f1', '.f2']],
    ['.f1:enabled:not([data-x=y] > .f2)~.f3', ['.f3']],
    ['svg linearGradient', ['lineargradient']],
    ['input, *', undefined],
    ['input, [type="x"]', undefined],
    [':focus', undefined],
    ['[hidden]', undefined],
    ['.f\\:1', undefined],
    [undefined, undefined],
  ])(
    'lists the class or element name that each part of %s requires, undefined if it cannot tell: %j',
    (selector, subjects) => {
      expect(listSubjects(selector)).toEqual(subjects);
    },
  );

  it('computes a style from all matching rules and follows class changes', () => {
    const sheet = document.head.appendChild(document.createElement('style'));
    sheet.textContent =
      '.shown { display: flex } .gone { display: none } main > .deep { visibility: hidden } p.far, b { ' +
      'pointer-events: none } .gone:focus { display: grid } @keyframes turn { to { opacity: 0 } } @media screen { ' +
      '.wide { ' +
      'overflow: auto } }';
    document.body.innerHTML = '<main><p class="shown deep wide" tabindex="0"><b>x</b></p></main>';
    const [paragraph, bold] = ['p', 'b'].map((name) => document.querySelector<HTMLElement>(name));
    const read = (element: HTMLElement | null | undefined) => {
      const { display, visibility, pointerEvents, overflow } = window.getComputedStyle(element ?? document.body);
      return [display, visibility, pointerEvents, overflow];
    };
    expect(read(paragraph)).toEqual(['flex', 'hidden', 'auto', 'auto']);
    expect(read(bold)).toEqual(['', 'hidden', 'none', '']);
    paragraph?.setAttribute('class', 'gone far');
    expect(read(paragraph)).toEqual(['none', 'visible', 'none', '']);
    paragraph?.focus();
    // jsdom caches styles until the document changes, and focusing is no change. The attribute empties the cache.
    paragraph?.setAttribute('title', 'x');
    expect(read(paragraph)).toEqual(['grid', 'visible', 'none', '']);
    sheet.remove();
  });
});
