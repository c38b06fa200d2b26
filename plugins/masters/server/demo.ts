import type { SeedDemo } from '#core/server';
import type { MasterTypeCode } from '#plugins/masters';
import type { MastersTables } from './tables.ts';

/** The names of the demo masters in English and French. */
const demoMasters: Partial<Record<MasterTypeCode, readonly (readonly [name: string, french: string])[]>> = {
  TYPE_OF_WORK: [
    ['Planning', 'Planification'],
    ['Inspection', 'Inspection'],
    ['Maintenance', 'Maintenance'],
    ['Engineering and design', 'Ingénierie et conception'],
    ['Operations', 'Exploitation'],
    ['Training and induction', 'Formation et accueil'],
    ['Safety review', 'Revue de sécurité'],
  ],
  ACTIVITY: [
    ['Job preparation', 'Préparation des travaux'],
    ['Isolation planning', 'Préparation des consignations'],
    ['Measuring and surveying', 'Mesures et relevés'],
    ['Scaffold and access planning', 'Préparation des échafaudages et des accès'],
    ['Lifting plan', 'Plan de levage'],
    ['Equipment identification', 'Repérage des équipements'],
    ['Walkdown of a line', "Visite d'une ligne"],
    ['Familiarisation', 'Familiarisation'],
  ],
};

/** Seeds the choices of the demo's tour form. Existing masters are unchanged. */
const seedDemo: SeedDemo<MastersTables> = async ({ tables }) => {
  const rows = Object.entries(demoMasters).flatMap(([type, names]) =>
    names.map(([name, french_name], position) => ({
      type: type as MasterTypeCode,
      name,
      french_name,
      position,
      active: true,
      parent: null,
    })),
  );
  await tables
    .insertInto('master')
    .values(rows.map((row) => ({ uid: crypto.randomUUID(), ...row })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
export default seedDemo;
