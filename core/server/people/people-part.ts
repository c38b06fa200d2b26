import { sql } from 'kysely';
import { personMasterTypes } from '#core';
import {
  assignRole,
  updatePerson,
  createPerson,
  getPerson,
  listPeople,
  listPersonChoices,
  repeatInvitation,
  setPeopleStatus,
  type PersonChoices,
} from '#core/api';
import { AccessChanges } from '../access/access-changes.ts';
import { LocationStore } from '../access/location-store.ts';
import { Roles } from '../access/roles.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { Invitations } from '../auth/account-mails.ts';
import { ChangeJournal } from '../changes/change-journal.ts';
import type { CorePart } from '../kernel/core-part.ts';
import { notFound } from '../kernel/server-error.ts';
import * as commands from './change-people.ts';
import { createPeopleImport, PeopleImport } from './import-people.ts';
import { findPerson, listPeople as queryPeople, PeopleLists } from './list-people.ts';
import { createPeopleContents, PeopleChanges } from './people-changes.ts';
import type { PeopleTables } from './people-tables.ts';
import { createPersonMasters, PersonMasters } from './person-masters.ts';
import { inviteAgain } from './invite-again.ts';

/** The people of the product, for admins: lists, changes with undo, invitations. */
export const peoplePart: CorePart = {
  id: 'people',
  migrations: [],
  mount(api, context) {
    const { database, clock } = context;
    const masters = createPersonMasters();
    const invitations = context.service(Invitations);
    const roles = context.service(Roles);
    const changes = context.service(ChangeJournal).of<PeopleTables>('people', 'core');
    changes.register(
      createPeopleContents({
        changes: context.service(AccessChanges),
        clock,
        sendPending: () => invitations.sendPending(),
      }),
    );
    const people = { database, changes, masters, invitations, clock };
    context.provide(PersonMasters, masters);
    context.provide(PeopleChanges, changes);
    context.provide(PeopleLists, { list: (filter) => queryPeople(database.of('core'), masters.rows, filter) });
    context.provide(PeopleImport, createPeopleImport(people));

    api.serve(listPeople, ({ query }) => queryPeople(database.of('core'), masters.rows, query));
    api.serve(listPersonChoices, async () => {
      const { rows } = await sql<PersonChoices['masters'][number]>`
        select uid, type, name, french_name as "frenchName", active from (${masters.rows}) as master
        where type = any(${Object.values(personMasterTypes)}::text[])
        order by lower(name)`.execute(database.of('core'));
      return {
        roles: (await roles.list()).map((role) => ({
          ...role,
          flags: [...role.flags],
          locations: [...role.locations],
        })),
        masters: rows,
      };
    });
    api.serve(getPerson, async ({ params }) => {
      const person = await findPerson(database.of('core'), masters.rows, params.person);
      if (!person) throw notFound('This person');
      return person;
    });
    api.serve(createPerson, (call) => commands.createPerson(people, call, call.body));
    api.serve(updatePerson, (call) => commands.changePerson(people, call, call.params.person, call.body));
    api.serve(setPeopleStatus, (call) => commands.setPeopleStatus(people, call, call.body.people, call.body.status));
    api.serve(assignRole, (call) => commands.assignRole(people, call, call.body.people, call.body.role));
    api.serve(repeatInvitation, async ({ caller, params, requestId }) => {
      await inviteAgain(
        { ...people, locations: context.service(LocationStore), audit: context.service(AuditLog) },
        caller,
        params.person,
        requestId,
      );
      return {};
    });
  },
};
