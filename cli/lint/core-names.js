import { readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Words of the specification that are core's subject although a plugin has the same name: accounts and locations lie
 * in core's own tables and audit log. Each with the folder in which it may be written.
 */
const coreWords = new Map(
  [
    'account',
    'account.activated',
    'account.deactivated',
    'account.identityLinked',
    'account.invited',
    'account.passwordChanged',
    'account.passwordReset',
    'account.reactivated',
    'locations',
  ].map((word) => [word, 'core/server/']),
);

/** Message about a text in a file of core; undefined if it is allowed. */
function coreNameProblem({ file, text, isWhole, plugins }) {
  const folder = coreWords.get(text);
  if (isWhole && folder !== undefined && file.startsWith(folder)) return undefined;
  const plugin = plugins.find((id) => (isWhole && text === id) || text.startsWith(`${id}.`));
  return plugin === undefined
    ? undefined
    : `Core knows no plugin, and '${text}' names '${plugin}'. Host an extension point, or let the plugin fill a role.`;
}

/** Refuses in `core/**` a text that is a plugin's id or begins with one and a dot. Names of types are no texts. */
export const coreNames = {
  create(context) {
    const root = process.cwd();
    const file = path.relative(root, context.filename).split(path.sep).join('/');
    if (!file.startsWith('core/')) return {};
    const plugins = readdirSync(path.join(root, 'plugins'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    const check = (node, text, isWhole) => {
      const message = coreNameProblem({ file, text, isWhole, plugins });
      if (message) context.report({ node, message });
    };
    return {
      Literal(node) {
        if (typeof node.value === 'string' && node.parent?.type !== 'TSLiteralType') check(node, node.value, true);
      },
      TemplateLiteral(node) {
        check(node, node.quasis[0]?.value.cooked ?? '', node.quasis.length === 1);
      },
    };
  },
};
