/** Participles that do not tell what a value is. They are allowed as part of a name: `knownCodes`, `foundNode`. */
const participles = new Set(['chosen', 'created', 'found', 'given', 'gone', 'kept', 'known', 'made', 'written']);

/** Forbids variables and parameters that are named with a participle alone. */
export const participleNames = {
  create(context) {
    const check = (node) => {
      if (node?.type === 'AssignmentPattern') return check(node.left);
      if (node?.type !== 'Identifier' || !participles.has(node.name)) return;
      context.report({ node, message: `'${node.name}' does not tell what it is. Name the thing.` });
    };
    const checkParameters = ({ params }) => params.forEach(check);
    return {
      VariableDeclarator: ({ id }) => check(id),
      FunctionDeclaration: checkParameters,
      FunctionExpression: checkParameters,
      ArrowFunctionExpression: checkParameters,
    };
  },
};
