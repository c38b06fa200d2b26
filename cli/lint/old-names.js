import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Identifiers that were renamed, each with its name of today. */
const names = new Map(
  Object.entries(JSON.parse(readFileSync(path.join(import.meta.dirname, 'old-names.json'), 'utf8'))),
);

/** Refuses identifiers that have another name by now. */
export const oldNames = {
  create(context) {
    const check = (node) => {
      const name = names.get(node.name);
      if (name !== undefined) context.report({ node, message: `'${node.name}' is '${name}' now.` });
    };
    return { Identifier: check, PrivateIdentifier: check, JSXIdentifier: check };
  },
};
