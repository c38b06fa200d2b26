import path from 'node:path';
import { webPluginConforms } from '#core/testing/web';
import { tourWeb } from '#plugins/tour/testing/web';
import { tagRuleKinds, tagRuleParts, trialStates } from '../contract/values/tag-rules.ts';
import manifest from '../plugin.ts';

webPluginConforms({
  folder: path.resolve(import.meta.dirname, '..'),
  manifest,
  settings: { engine: 'builtin' },
  messages: [
    ...['modelElsewhere'].flatMap((check) => [`model-3d.check.${check}`, `model-3d.check.${check}.hint`]),
    ...tagRuleKinds.map((kind) => `model-3d.rules.kind.${kind}`),
    ...tagRuleParts.map((part) => `model-3d.rules.part.${part}`),
    ...trialStates.map((state) => `model-3d.rules.state.${state}`),
    ...['tagRulesSaved', 'changeUndone', 'objectMapped', 'objectUnmapped', 'mappingImported'].map(
      (action) => `model-3d.audit.${action}`,
    ),
    'model-3d.admin.upload.SENDING',
    'model-3d.admin.upload.SENT',
    ...['rulesSaved', 'tagsPlaced'].flatMap((kind) => [`model-3d.rules.done.${kind}`, `model-3d.rules.undone.${kind}`]),
  ],
  others: [{ id: 'tour', settings: {}, web: tourWeb, bridges: [] }],
});
