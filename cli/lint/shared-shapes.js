import path from 'node:path';

/** Former names of copied `#core/api` shapes, with their replacements. */
const copies = {
  Location: 'LocationUid',
  LocationUid: 'LocationUid',
  Code: 'Code',
  Uid: 'Uid',
  Point: 'Point',
  Page: 'Page',
};

const isTypeCall = (node, name) =>
  node?.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  node.callee.object.name === 'Type' &&
  (name === undefined || node.callee.property.name === name);

/** The core shape that a call duplicates, whatever its name; undefined for the plugin's own shapes. */
function shapeOf(node, text) {
  if (isTypeCall(node, 'Union'))
    return node.arguments[0]?.elements?.some((each) => isTypeCall(each, 'Null')) ? 'nullable' : undefined;
  if (isTypeCall(node, 'Unsafe')) return text.startsWith('Type.Unsafe<Point3>') ? 'Point' : undefined;
  // The version and variant of a client-generated UUID.
  return isTypeCall(node, 'String') && text.includes('-4[0-9a-f]{3}-[89ab]') ? 'Uid' : undefined;
}

/** Contracts must use core's common shapes: copies diverge. */
const sharedShapes = {
  create(context) {
    const file = path.relative(process.cwd(), context.filename).split(path.sep).join('/');
    if (!/^plugins\/[^/]+\/contract\//.test(file) || file.endsWith('.test.ts')) return {};
    const report = (node, name) => context.report({ node, message: `Take '${name}' from '#core/api'.` });
    const shape = (node) => shapeOf(node, context.sourceCode.getText(node));
    return {
      VariableDeclarator({ id, init }) {
        const name = id.type === 'Identifier' ? copies[id.name] : undefined;
        if (name !== undefined && isTypeCall(init) && shape(init) === undefined) report(init, name);
      },
      CallExpression(node) {
        const name = shape(node);
        if (name !== undefined) report(node, name);
      },
    };
  },
};

export default { meta: { name: 'contracts' }, rules: { 'shared-shapes': sharedShapes } };
