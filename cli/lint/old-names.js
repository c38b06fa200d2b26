import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Current names by the names that were replaced. */
const names = new Map(
  Object.entries(JSON.parse(readFileSync(path.join(import.meta.dirname, 'old-names.json'), 'utf8'))),
);

/** Forbids names of identifiers that were replaced. */
export const oldNames = {
  create(context) {
    const check = (node) => {
      const name = names.get(node.name);
      if (name !== undefined) context.report({ node, message: `'${node.name}' is '${name}' now.` });
    };
    return { Identifier: check, PrivateIdentifier: check, JSXIdentifier: check };
  },
};
