import { readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Words of the specification that core needs although a plugin has the same name, because core's tables and audit log
 * contain accounts and locations. The value is the folder in which a word is allowed.
 */
const allowedFolders = new Map(
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
  ].map((text) => [text, 'core/server/']),
).set('roles', 'core/');

/** The message about a text in a file of core; undefined if the text is allowed. */
function coreNameProblem({ file, text, isWhole, plugins }) {
  const folder = allowedFolders.get(text);
  if (isWhole && folder !== undefined && file.startsWith(folder)) return undefined;
  const plugin = plugins.find((id) => (isWhole && text === id) || text.startsWith(`${id}.`));
  return plugin === undefined
    ? undefined
    : `Core knows no plugin, and '${text}' names '${plugin}'. Host an extension point, or let the plugin fill a role.`;
}

/** Forbids texts in `core/**` that are a plugin's id or begin with `<id>.`. Type names do not count. */
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
