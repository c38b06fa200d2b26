import path from 'node:path';

const searches = new Set(['closest', 'querySelector', 'querySelectorAll', 'getElementById', 'elementFromPoint']);

/** Files that may search the document, each with what it searches for. */
const allowedFiles = new Map([
  ['plugins/annotate/web/snapshots/viewer/find-drawn-items.ts', 'its own drawings, which a snapshot counts'],
  ['plugins/annotate/web/snapshots/viewer/snapshot-camera.ts', 'the drawings over a surface, which a snapshot copies'],
  ['plugins/annotate/web/viewer/use-surface-input.ts', 'whether a key is pressed in a field or menu'],
  ['plugins/model-3d/web/viewer/external/external-viewer.ts', 'a style sheet that is linked already'],
  ['plugins/model-3d/web/components/object-list.tsx', 'its own row that was pressed'],
  ['plugins/tour/web/components/frame/use-idle.ts', 'an open menu in its own frame'],
  ['plugins/tour/web/components/frame/use-shortcuts.ts', 'whether a key is pressed in a field, menu or dialog'],
  ['plugins/vr/web/markers/viewer/marker-input.ts', 'its own corner that was pressed'],
]);

/**
 * Forbids searching the document in `plugins/<id>/web`: a plugin must not depend on the markup of the tour or another
 * plugin.
 */
export const domSearches = {
  create(context) {
    const file = path.relative(process.cwd(), context.filename).split(path.sep).join('/');
    const isTest = /\.test\.tsx?$|\/testing\//.test(file);
    if (!/^plugins\/[^/]+\/web\//.test(file) || isTest || allowedFiles.has(file)) return {};
    return {
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== 'MemberExpression' || !searches.has(callee.property.name)) return;
        context.report({
          node,
          message:
            `'${callee.property.name}' can find elements of other plugins. Get the free area from 'useCover' or ` +
            "'TourLayout', draw by an extension point of the tour, or list the file with its reason in " +
            "'cli/lint/dom-searches.js'.",
        });
      },
    };
  },
};
