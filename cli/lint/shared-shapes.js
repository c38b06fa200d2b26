import path from 'node:path';

/** Shapes of `#core/api` by the names under which contracts copied them. */
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

/** The name of the core shape that a call duplicates; undefined for other shapes. */
function findShape(node, text) {
  if (isTypeCall(node, 'Union'))
    return node.arguments[0]?.elements?.some((each) => isTypeCall(each, 'Null')) ? 'nullable' : undefined;
  if (isTypeCall(node, 'Unsafe')) return text.startsWith('Type.Unsafe<Point3>') ? 'Point' : undefined;
  // The version and variant of a client-generated UUID.
  return isTypeCall(node, 'String') && text.includes('-4[0-9a-f]{3}-[89ab]') ? 'Uid' : undefined;
}

/** Requires contracts to use core's common shapes, because copies would diverge. */
const sharedShapes = {
  create(context) {
    const file = path.relative(process.cwd(), context.filename).split(path.sep).join('/');
    if (!/^plugins\/[^/]+\/contract\//.test(file) || file.endsWith('.test.ts')) return {};
    const report = (node, name) => context.report({ node, message: `Import '${name}' from '#core/api'.` });
    const shape = (node) => findShape(node, context.sourceCode.getText(node));
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
