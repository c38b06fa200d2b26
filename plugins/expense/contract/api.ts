import { Type, type Static } from 'typebox';
import { endpoint, type Rule } from '#core';
import { BaseVersion, Changed, LocationUid, nullable, Page, pageQuery } from '#core/api';
import { figureRules } from './rules.ts';
import { estimationStates, maxEstimationRows } from './values.ts';

/** The expense estimation of a site. Without one, its figures are null and its version is 0. */
export type ExpenseEstimation = Static<typeof ExpenseEstimation>;
export const ExpenseEstimation = Type.Object({
  /** Uid of the site. */
  location: Type.String(),
  /** Fixed cost of a physical trip, dollars. */
  fixedCost: nullable(Type.Number()),
  /** Cost of each day of a trip, dollars. */
  perDiem: nullable(Type.Number()),
  /** Average duration of a physical trip, days. */
  tripDays: nullable(Type.Number()),
  /** Hours in tours that equal a physical day. */
  tourHours: nullable(Type.Number()),
  version: Type.Integer(),
});

const params = Type.Object({ location: LocationUid });
const sharedOptions = { access: 'configure', location: 'params.location' } as const;
const versionConflictNote = 'Answers 409 with the current estimation if it was changed since it was read.';

export const listEstimations = endpoint('GET', '/api/expense', {
  summary:
    `Lists the sites that the caller can access by name with their expense estimations, in pages of at most ` +
    `${maxEstimationRows}. \`text\` is part of a name, a label or a code.`,
  access: 'configure',
  query: Type.Object(
    {
      text: Type.Optional(Type.String({ maxLength: 200 })),
      state: Type.Optional(Type.Enum([...estimationStates])),
      ...pageQuery(maxEstimationRows),
    },
    { additionalProperties: false },
  ),
  reply: Page(ExpenseEstimation),
});

export const getEstimation = endpoint('GET', '/api/expense/:location', {
  summary: 'Returns the expense estimation of a site.',
  ...sharedOptions,
  params,
  reply: ExpenseEstimation,
});

export const saveEstimation = endpoint('PUT', '/api/expense/:location', {
  summary: `Creates or changes the expense estimation of a site. ${versionConflictNote}`,
  ...sharedOptions,
  params,
  body: Type.Object(
    {
      fixedCost: Type.Number(),
      perDiem: Type.Number(),
      tripDays: Type.Number(),
      tourHours: Type.Number(),
      version: BaseVersion,
    },
    { additionalProperties: false },
  ),
  rules: figureRules as Readonly<Record<string, readonly Rule[]>>,
  reply: Changed,
});

export const deleteEstimation = endpoint('DELETE', '/api/expense/:location', {
  summary: `Deletes the expense estimation of a site. ${versionConflictNote}`,
  ...sharedOptions,
  params,
  query: Type.Object({ version: BaseVersion }, { additionalProperties: false }),
  reply: Changed,
});
