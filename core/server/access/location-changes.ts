import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sql, type Selectable, type Transaction } from 'kysely';
import { allowedParentTypes, defaultSiteRecord, validationMessages, type LocationType, type SiteRecord } from '#core';
import { coreRefusal, type LocationReply, type LocationUse, type NewLocation } from '#core/api';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Database } from '../database/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { changedMeanwhile, conflict, invalidRequest, noAccess, notFound } from '../kernel/server-error.ts';
import type { AccessChanges } from './access-changes.ts';
import type { AccessTables, LocationChangeTable } from './access-tables.ts';
import type { Caller } from './caller.ts';
import type { LocationContents } from './location-contents.ts';
import type { LocationStore } from './location-store.ts';
import { findCreation, loadLocations, spreadSiblings, writeLocations } from './location-rows.ts';
import { listChangedFields, type StoredLocation, type StoredTree } from './location-tree.ts';
import { assertSiteRecord } from './site-record.ts';
import type { LocationAuthor } from './site-store.ts';

interface LocationChangesOptions {
  readonly database: Database;
  readonly locations: LocationStore;
  readonly contents: LocationContents;
  readonly changes: AccessChanges;
  readonly audit: AuditLog;
  readonly clock: Clock;
  /** IANA time zone of the deployment, for sites without a record. */
  readonly timeZone: string;
}

interface PlannedChange {
  readonly action: string;
  readonly subject: string;
  readonly before: readonly StoredLocation[];
  /** Each version is one higher than before. */
  readonly after: readonly StoredLocation[];
  /** uid of the change that it takes back. */
  readonly undoes?: string;
}

/** Nothing is written, because the locations are already as planned: by an earlier change, or null if by any. */
interface EarlierChange<Uid> {
  readonly earlier: Uid;
}

type Planned<Uid> = PlannedChange | EarlierChange<Uid>;
type Plan<Uid> = (tree: StoredTree, transaction: Transaction<AccessTables>) => Promise<Planned<Uid>> | Planned<Uid>;

/** Creates, changes, moves and deletes locations, one change after the other. Each can be taken back and is audited. */
export class LocationChanges {
  readonly #options: LocationChangesOptions;

  constructor(options: LocationChangesOptions) {
    this.#options = options;
  }

  /**
   * Resolves to the uid of the change, as do all changes; those that may change nothing resolve to null then. A request
   * that is repeated, because its reply was lost, resolves to the first change while the location is still as that
   * created it.
   */
  async create(input: NewLocation, author: LocationAuthor): Promise<string> {
    const { uid, name, label, locationType } = input;
    const site = locationType === 'PRIMARY_LOCATION' ? (input.site ?? defaultSiteRecord(this.#options.timeZone)) : null;
    if (site) assertSiteRecord(site);
    else if (input.site)
      throw invalidRequest(coreRefusal('core.refused.locationNoSite'), [
        { pointer: '/site', message: validationMessages.unknownField },
      ]);
    return this.#apply<string>(author, async (tree, transaction) => {
      const existing = tree.find(uid);
      const parent = existing ? undefined : findParent(tree, input.parent);
      const created: StoredLocation = {
        uid,
        name: name.trim(),
        label: label.trim(),
        locationType,
        parent: input.parent,
        root: existing?.root ?? parent?.root ?? uid,
        position: existing?.position ?? tree.lastPosition + 1,
        version: 1,
        site,
        roles: [],
      };
      const earlier =
        existing && isDeepStrictEqual(existing, created) ? await findCreation(transaction, uid, author.by) : undefined;
      if (earlier !== undefined) return { earlier };
      if (tree.hasCode(uid))
        throw conflict(coreRefusal('core.refused.locationCode', { uid }), [
          { pointer: '/uid', message: validationMessages.duplicate, values: { value: uid } },
        ]);
      assertParent(locationType, parent);
      return { action: 'location.created', subject: uid, before: [], after: [created] };
    });
  }

  async change(
    uid: string,
    { version, ...values }: Pick<StoredLocation, 'name' | 'label' | 'locationType' | 'version'>,
    author: LocationAuthor,
  ): Promise<string | null> {
    return this.#apply<null>(author, (tree) => {
      const location = findUnchanged(tree, uid, version);
      const changed = { ...location, ...values, name: values.name.trim(), label: values.label.trim() };
      if (changed.locationType !== location.locationType) assertPlace(tree, changed);
      return planUpdate('location.changed', location, changed);
    });
  }

  /** Moves a location before a sibling, or after all if `before` is null. */
  async move(
    uid: string,
    { parent, before, version }: Pick<StoredLocation, 'parent' | 'version'> & { readonly before: string | null },
    author: LocationAuthor,
  ): Promise<string | null> {
    return this.#apply<null>(author, async (tree, transaction) => {
      const location = findUnchanged(tree, uid, version);
      const newParent = findParent(tree, parent);
      if ((newParent?.root ?? uid) !== location.root)
        throw invalidRequest(coreRefusal('core.refused.locationOtherSite'));
      assertPlace(tree, { ...location, parent });
      const siblings = tree.children(parent).filter((row) => row.uid !== uid);
      const index = before === null ? siblings.length : siblings.findIndex((row) => row.uid === before);
      if (index === -1) throw conflict(coreRefusal('core.refused.locationNeighbour'));
      if (parent === location.parent && tree.children(parent)[index] === location) return { earlier: null };
      const position = findPosition(siblings, index) ?? (await spreadSiblings(transaction, tree, siblings, index));
      return planUpdate('location.moved', location, { ...location, parent, position });
    });
  }

  async delete(uid: string, author: LocationAuthor): Promise<string> {
    const subtree = await this.#options.locations.descendants(uid);
    await this.#assertUnused(subtree);
    const unused = new Set(subtree);
    return this.#apply(author, (tree) => {
      const location = tree.find(uid);
      if (!location) throw notFound('This location');
      const deleted = tree.subtree(location);
      const added = deleted.find((row) => !unused.has(row.uid));
      if (added)
        throw changedMeanwhile(coreRefusal('core.refused.locationChanged', { name: added.name }), toReply(added));
      return { action: 'location.deleted', subject: uid, before: deleted, after: [] };
    });
  }

  /**
   * @param base the record that the change is based on; any if absent
   * @throws `invalidRequest` (400) on an invalid record; `notFound` (404) if the location is no site;
   *   `changedMeanwhile` (409) if the record is not `base`
   */
  async saveSite(site: string, record: SiteRecord, author: LocationAuthor, base?: SiteRecord): Promise<string | null> {
    assertSiteRecord(record);
    return this.#apply<null>(author, (tree) => {
      const location = tree.find(site);
      if (location?.locationType !== 'PRIMARY_LOCATION' || location.parent !== null) throw notFound('This site');
      const present = location.site ?? defaultSiteRecord(this.#options.timeZone);
      if (base && !isDeepStrictEqual(base, present))
        throw changedMeanwhile(coreRefusal('core.refused.locationChanged', { name: location.name }), {
          ...toReply(location),
          site: present,
        });
      return planUpdate('site.saved', location, { ...location, site: record });
    });
  }

  /**
   * Takes back what still stands of a change.
   *
   * @throws `conflict` (409) if a location was changed in the same fields since, if its code or parent is gone, or if
   *   something belongs to a location that would be deleted
   */
  async undo(change: string, caller: Caller, request?: string): Promise<string> {
    const { before, after, subject } = await this.#findChange(change, caller);
    const removedUids = new Set(listMissing(after, before));
    await this.#assertUnused([...removedUids]);
    const author = { by: caller.uid, ...(request === undefined ? {} : { request }) };
    return this.#apply(author, async (tree, transaction) => {
      const { undone_by } = await transaction
        .selectFrom('location_change')
        .select('undone_by')
        .where('uid', '=', change)
        .executeTakeFirstOrThrow();
      if (undone_by !== null) throw conflict(coreRefusal('core.refused.undoDone'));
      const afterByUid = new Map(after.map((row) => [row.uid, row]));
      const updates = before.flatMap((row) => {
        const changed = afterByUid.get(row.uid);
        return changed ? [restoreFields(tree, row, changed)] : [];
      });
      const removed = after
        .filter(({ uid }) => removedUids.has(uid))
        .map((row) => findUntouched(tree, row, removedUids));
      const restoredUids = new Set(listMissing(before, after));
      const restored = before.filter(({ uid }) => restoredUids.has(uid));
      for (const row of restored) {
        if (tree.hasCode(row.uid)) throw conflict(coreRefusal('core.refused.undoCode', { uid: row.uid }));
        if (row.parent === null || restoredUids.has(row.parent)) continue;
        const parent = tree.find(row.parent);
        if (!parent) throw conflict(coreRefusal('core.refused.undoParent', { name: row.name }));
        assertParent(row.locationType, parent);
      }
      return {
        action: 'location.undone',
        subject,
        before: [...updates.map((update) => update.before), ...removed],
        after: [
          ...updates.map((update) => update.after),
          ...restored.map((row) => ({ ...row, version: row.version + 1 })),
        ],
        undoes: change,
      };
    });
  }

  async findUse(uid: string): Promise<LocationUse> {
    const { database, locations, contents } = this.#options;
    const subtree = await locations.descendants(uid);
    const roles = await database
      .of<AccessTables>('core')
      .selectFrom('role_location')
      .innerJoin('role', 'role.uid', 'role_location.role')
      .select('role.name')
      .distinct()
      .where('role_location.location', '=', sql<string>`any(${subtree}::text[])`)
      .orderBy('role.name')
      .execute();
    return {
      descendants: subtree.length - 1,
      roles: roles.map(({ name }) => name),
      contents: [...(await contents.count(subtree))],
    };
  }

  async #assertUnused(uids: readonly string[]): Promise<void> {
    const [uid] = uids;
    const { contents, locations } = this.#options;
    if (uid === undefined || (await contents.count(uids)).length === 0) return;
    throw conflict(coreRefusal('core.refused.locationInUse', { name: (await locations.find(uid))?.name ?? uid }));
  }

  /**
   * @throws `notFound` (404); `noAccess` (403) without access to a changed location, or to the previous parent of one
   *   that was deleted, moved or reordered
   */
  async #findChange(uid: string, caller: Caller): Promise<Selectable<LocationChangeTable>> {
    const { database, locations } = this.#options;
    const change = await database
      .of<AccessTables>('core')
      .selectFrom('location_change')
      .selectAll()
      .where('uid', '=', uid)
      .executeTakeFirst();
    if (!change) throw notFound('This change');
    if (caller.access.locations === 'ALL') return change;
    const rows = [...change.before, ...change.after];
    const deleted = new Set(listMissing(change.before, change.after));
    const after = new Map(change.after.map((row) => [row.uid, row]));
    const movedFrom = change.before.filter((row) => {
      const moved = after.get(row.uid);
      return moved && (moved.parent !== row.parent || moved.position !== row.position);
    });
    const places = new Set([
      ...rows.map((row) => (deleted.has(row.uid) ? row.parent : row.uid)),
      ...movedFrom.map((row) => row.parent),
    ]);
    for (const place of places)
      if (place === null || (!deleted.has(place) && !(await locations.canAccess(caller, place)))) throw noAccess();
    return change;
  }

  async #apply<Earlier = never>({ by, request }: LocationAuthor, plan: Plan<Earlier>): Promise<string | Earlier> {
    const { database, changes, audit, clock } = this.#options;
    const change = randomUUID();
    const planned = await database
      .of<AccessTables>('core')
      .transaction()
      .execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(hashtext('core.location'))`.execute(transaction);
        const result = await plan(await loadLocations(transaction), transaction);
        if ('earlier' in result) return result;
        const { action, subject, before, after, undoes } = result;
        await writeLocations(transaction, before, after, new Date(clock.now()));
        await transaction
          .insertInto('location_change')
          .values({
            uid: change,
            at: new Date(clock.now()),
            action,
            subject,
            before: JSON.stringify(before),
            after: JSON.stringify(after),
            undone_by: null,
          })
          .execute();
        if (undoes !== undefined)
          await transaction
            .updateTable('location_change')
            .set({ undone_by: change })
            .where('uid', '=', undoes)
            .execute();
        await audit.record(
          {
            actor: by,
            action,
            subject,
            name:
              (after.find(({ uid }) => uid === subject) ?? before.find(({ uid }) => uid === subject))?.name ?? subject,
            location: subject,
            details: { change, before, after, ...(undoes === undefined ? {} : { undoes }) },
            ...(request === undefined ? {} : { request }),
          },
          transaction,
        );
        return result;
      });
    if ('earlier' in planned) return planned.earlier;
    await changes.announce({ kind: 'locations' });
    if ([...planned.before, ...planned.after].some(({ roles }) => roles.length > 0))
      await changes.announce({ kind: 'roles' });
    return change;
  }
}

const toReply = ({ uid, name, label, locationType, parent, root, version }: StoredLocation): LocationReply => ({
  uid,
  name,
  label,
  locationType,
  parent,
  root,
  version,
});

/** Uids of the locations of one list that are not in another. */
function listMissing(list: readonly StoredLocation[], other: readonly StoredLocation[]): readonly string[] {
  const uids = new Set(other.map(({ uid }) => uid));
  return list.map(({ uid }) => uid).filter((uid) => !uids.has(uid));
}

const planUpdate = (action: string, before: StoredLocation, after: StoredLocation): Planned<null> =>
  isDeepStrictEqual(before, after)
    ? { earlier: null }
    : { action, subject: before.uid, before: [before], after: [{ ...after, version: before.version + 1 }] };

function findUnchanged(tree: StoredTree, uid: string, version: number): StoredLocation {
  const location = tree.find(uid);
  if (!location) throw notFound('This location');
  if (location.version !== version)
    throw changedMeanwhile(coreRefusal('core.refused.locationChanged', { name: location.name }), toReply(location));
  return location;
}

function findParent(tree: StoredTree, uid: string | null): StoredLocation | undefined {
  const parent = uid === null ? undefined : tree.find(uid);
  if (uid !== null && !parent) throw conflict(coreRefusal('core.refused.locationParentGone'));
  return parent;
}

function assertParent(locationType: LocationType, parent: StoredLocation | undefined): void {
  const isAllowed = parent
    ? allowedParentTypes[locationType].includes(parent.locationType)
    : locationType === 'PRIMARY_LOCATION';
  if (!isAllowed) throw invalidRequest(coreRefusal('core.refused.locationParent'));
}

/** Refuses a changed location below itself, below a parent of a wrong type, or above children of a wrong type. */
function assertPlace(tree: StoredTree, { uid, name, parent, locationType }: StoredLocation): void {
  const subtree = tree.subtree(tree.find(uid)!);
  if (subtree.some((row) => row.uid === parent)) throw invalidRequest(coreRefusal('core.refused.locationCycle'));
  assertParent(locationType, parent === null ? undefined : tree.find(parent));
  if (tree.children(uid).some((child) => !allowedParentTypes[child.locationType].includes(locationType)))
    throw invalidRequest(coreRefusal('core.refused.locationChildren', { name }));
}

/** The position before the sibling at `index`. Undefined if there is no number between it and the previous sibling. */
function findPosition(siblings: readonly StoredLocation[], index: number): number | undefined {
  const previous = siblings[index - 1]?.position;
  const next = siblings[index]?.position;
  if (next === undefined) return (previous ?? 0) + 1;
  if (previous === undefined) return next - 1;
  const middle = (previous + next) / 2;
  return previous < middle && middle < next ? middle : undefined;
}

/** Sets the fields that a change changed to what they were. Other fields stay as they are now. */
function restoreFields(
  tree: StoredTree,
  before: StoredLocation,
  after: StoredLocation,
): { readonly before: StoredLocation; readonly after: StoredLocation } {
  const current = tree.find(before.uid);
  const changedFields = listChangedFields(before, after);
  if (!current || listChangedFields(current, after).some((field) => changedFields.includes(field)))
    throw conflict(coreRefusal('core.refused.undoChanged', { name: current?.name ?? before.name }));
  const restored = Object.fromEntries(changedFields.map((field) => [field, before[field]]));
  const location = { ...current, ...restored, version: current.version + 1 };
  if (location.parent !== null && !tree.find(location.parent))
    throw conflict(coreRefusal('core.refused.undoParent', { name: location.name }));
  assertPlace(tree, location);
  return { before: current, after: location };
}

/** The present row of a created location that nobody has changed since. All below it is removed with it. */
function findUntouched(tree: StoredTree, created: StoredLocation, removed: ReadonlySet<string>): StoredLocation {
  const current = tree.find(created.uid);
  const isUntouched =
    current !== undefined &&
    listChangedFields(current, created).length === 0 &&
    tree.children(created.uid).every(({ uid }) => removed.has(uid));
  if (!isUntouched) throw conflict(coreRefusal('core.refused.undoChanged', { name: current?.name ?? created.name }));
  return current;
}
