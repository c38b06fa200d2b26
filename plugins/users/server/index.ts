import { PeopleChanges, PeopleImport, PeopleLists, serverPlugin } from '#core/server';
import { ImportKinds, Workbooks } from '#plugins/imports';
import { exportUsers } from '../contract/api.ts';
import type manifest from '../plugin.ts';
import { createUsersKind } from './commands/users-kind.ts';
import { listUserRows, describeUserList } from './queries/user-list.ts';

export default serverPlugin<typeof manifest>()({
  api: (api, context) => {
    context
      .service(ImportKinds)
      .register(createUsersKind(context.service(PeopleImport), context.service(PeopleChanges)));
    api.serve(exportUsers, ({ caller, body: { language, day, ...filter } }) =>
      context.service(Workbooks).write(caller, {
        ...describeUserList(language, day),
        rows: listUserRows(context.service(PeopleLists), filter, language),
      }),
    );
  },
});
