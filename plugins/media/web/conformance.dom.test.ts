import path from 'node:path';
import { webPluginConforms } from '#core/testing/web';
import { backgroundKinds } from '../contract/index.ts';
import manifest from '../plugin.ts';

webPluginConforms({
  folder: path.resolve('plugins/media'),
  manifest,
  settings: {},
  messages: [
    ...['LOGIN', ...backgroundKinds].flatMap((kind) => [
      `media.backgrounds.done.${kind}`,
      `media.backgrounds.undone.${kind}`,
    ]),
    ...['loginBackgroundsSaved', 'locationBackgroundsSaved', 'tourBackgroundsSaved', 'changeUndone'].map(
      (action) => `media.audit.${action}`,
    ),
  ],
});
