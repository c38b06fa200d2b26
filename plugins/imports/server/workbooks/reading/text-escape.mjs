// Exports put an apostrophe before text that a spreadsheet could take for a formula, and before text that already
// looks so. Reading takes one away, so that a round trip changes nothing.
const escapedPattern = /^'+[=+\-@\t\r]/;

export const unescapeText = (text) => (escapedPattern.test(text) ? text.slice(1) : text);
