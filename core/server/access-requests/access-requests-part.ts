import { sql } from 'kysely';
import {
  declineAccessRequest,
  explainAccess,
  findExplainedPeople,
  grantAccessRequest,
  listAccessRequests,
  listGrantableRoles,
  listOwnAccessRequests,
  sendAccessRequest,
  type ExplainedPerson,
} from '#core/api';
import { AccessChanges } from '../access/access-changes.ts';
import type { AccessTables } from '../access/access-tables.ts';
import { LocationStore } from '../access/location-store.ts';
import { covers, loadOwnAccess } from '../access/own-access.ts';
import { Roles } from '../access/roles.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { ChangeJournal } from '../changes/change-journal.ts';
import type { CorePart } from '../kernel/core-part.ts';
import { noAccess, notFound } from '../kernel/server-error.ts';
import type { AccessRequestTables } from './access-request-tables.ts';
import { AccessRequests } from './access-requests.ts';
import { AccessExplainer } from './explain-access.ts';
import {
  listAccessRequests as queryRequests,
  listOwnAccessRequests as queryOwnRequests,
} from './list-access-requests.ts';

const maxPeople = 20;
const maxGrantableRoles = 200;

/** Requests for access, and the explanation of what a person can access. */
export const accessRequestsPart: CorePart = {
  id: 'access-request',
  migrations: [],
  mount(api, { service, database, clock }) {
    const roles = service(Roles);
    const locations = service(LocationStore);
    const anyTables = database.of<unknown>('core');
    const accounts = database.of<AccessTables>('core');
    const requests = new AccessRequests({
      tables: database.of<AccessRequestTables>('core'),
      changes: service(ChangeJournal).of<AccessRequestTables>('accessRequest', 'core'),
      accessChanges: service(AccessChanges),
      locations,
      audit: service(AuditLog),
      clock,
    });
    const explainer = new AccessExplainer(locations);
    const findAccount = async (uid: string) => {
      const account = await accounts.selectFrom('user_account').selectAll().where('uid', '=', uid).executeTakeFirst();
      if (!account) throw notFound('This person');
      return account;
    };

    api.serve(sendAccessRequest, ({ caller, body, requestId }) => requests.send({ caller, requestId }, body));
    api.serve(listOwnAccessRequests, async ({ caller }) => [...(await queryOwnRequests(anyTables, caller.uid))]);
    api.serve(listAccessRequests, async ({ caller, query }) =>
      queryRequests(anyTables, {
        ...query,
        locations: caller.access.locations === 'ALL' ? 'ALL' : await locations.accessible(caller),
      }),
    );
    api.serve(listGrantableRoles, async ({ caller, params }) => {
      const { person, feature, location } = await requests.get(caller, params.request);
      const ownAccess = await loadOwnAccess(caller, locations);
      const account = await findAccount(person.uid);
      const heldRoles = await roles.listOf(person.uid);
      const heldUids = new Set(heldRoles.map(({ uid }) => uid));
      const candidates = (await roles.list()).filter(
        (role) => role.status === 'ACTIVE' && !heldUids.has(role.uid) && covers(ownAccess, role),
      );
      const ratedRoles = await Promise.all(
        candidates.map(async (role) => {
          const question = { account, roles: [...heldRoles, role], feature, location: location ?? undefined };
          const explanation = await explainer.explain(question);
          return { role, sufficient: explanation.feature !== false && explanation.location !== false };
        }),
      );
      return ratedRoles
        .toSorted((a, b) => Number(b.sufficient) - Number(a.sufficient) || a.role.flags.length - b.role.flags.length)
        .slice(0, maxGrantableRoles)
        .map(({ role: { uid, name, flags, allLocations }, sufficient }) => ({
          uid,
          name,
          flags: [...flags],
          allLocations,
          sufficient,
        }));
    });
    api.serve(grantAccessRequest, ({ caller, params, body, requestId }) =>
      requests.grant({ caller, requestId }, params.request, body.role, body.version),
    );
    api.serve(declineAccessRequest, ({ caller, params, body, requestId }) =>
      requests.decline({ caller, requestId }, params.request, body.reason, body.version),
    );
    api.serve(findExplainedPeople, async ({ query }) => {
      const { rows } = await sql<ExplainedPerson>`
        select uid, name, username, user_type as "userType", status from core.user_account
        where strpos(lower(name || ' ' || username), ${(query.text ?? '').trim().toLowerCase()}) > 0
        order by lower(name), uid limit ${maxPeople}`.execute(anyTables);
      return [...rows];
    });
    api.serve(explainAccess, async ({ caller, query: { account, feature, location } }) => {
      if (location !== undefined && !(await locations.canAccess(caller, location))) throw noAccess();
      return explainer.explain({
        account: await findAccount(account),
        roles: await roles.listOf(account),
        feature,
        location,
      });
    });
  },
};
