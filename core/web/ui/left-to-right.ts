/**
 * Replaces `rtl-css-js/core` in the browser's bundles: every language of the product is written from left to right, so
 * Griffel needs no second version of a style.
 */
export const convert = <Styles>(styles: Styles): Styles => styles;

export const convertProperty = <Value>(key: string, value: Value): { key: string; value: Value } => ({ key, value });
