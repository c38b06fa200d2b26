// Comments of cells: their text, and the drawing (VML) that spreadsheets require for the boxes.
import { encodeCellText, toColumnLetters } from './xml.mjs';

const maxTextLength = 2000;

/** The `<comment>` of a cell; `authorId` is its index among the authors of the part. */
export const createComment = ({ row, column, text }, authorId, prefix = '') => {
  const tag = (name) => `${prefix}${name}`;
  const content = encodeCellText(text.slice(0, maxTextLength));
  return (
    `<${tag('comment')} ref="${toColumnLetters(column)}${row}" authorId="${authorId}"><${tag('text')}>` +
    `<${tag('r')}><${tag('t')} xml:space="preserve">${content}</${tag('t')}></${tag('r')}></${tag('text')}></${tag('comment')}>`
  );
};

export const createCommentsPart = (comments, author, namespace) =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<comments xmlns="${namespace}"><authors><author>${author}` +
  `</author></authors><commentList>${comments.map((comment) => createComment(comment, 0)).join('')}</commentList></comments>`;

const shapeType = '_x0000_t202';

/** The hidden box of a comment. `number` makes its id unique in the drawing. */
export const createCommentShape = ({ row, column }, number) =>
  `<v:shape id="_x0000_s${number}" type="#${shapeType}" style="position:absolute;width:220pt;height:70pt;` +
  `z-index:1;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto"><v:fill color2="#ffffe1"/>` +
  `<v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/><v:textbox/>` +
  `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/>` +
  `<x:Anchor>${column}, 15, ${row}, 2, ${column + 3}, 15, ${row + 5}, 4</x:Anchor>` +
  `<x:AutoFill>False</x:AutoFill><x:Row>${row - 1}</x:Row><x:Column>${column - 1}</x:Column></x:ClientData></v:shape>`;

const shapeTypeXml =
  `<v:shapetype id="${shapeType}" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">` +
  `<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>`;

const firstShapeId = 1025;
const firstAddedShapeId = 100_000;

export const createCommentDrawing = (comments) =>
  '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" ' +
  'xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/>' +
  `</o:shapelayout>${shapeTypeXml}` +
  `${comments.map((comment, index) => createCommentShape(comment, firstShapeId + index)).join('')}</xml>`;

/**
 * Adds the boxes of comments to a drawing. The drawing is handled as text, because not every program writes valid XML.
 */
export function addCommentShapes(drawing, comments) {
  const end = drawing.lastIndexOf('</xml>');
  const type = drawing.includes(`id="${shapeType}"`) ? '' : shapeTypeXml;
  const shapes = comments.map((comment, index) => createCommentShape(comment, firstAddedShapeId + index)).join('');
  return `${drawing.slice(0, end)}${type}${shapes}${drawing.slice(end)}`;
}
