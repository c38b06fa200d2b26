import type { LocalizedText } from '#plugins/imports';

type Labels = Readonly<Record<string, readonly [english: string, french: string]>>;

/** The vocabulary in plain words, as screens show it and as cells may contain it. */
const labels: Labels = {
  general_permit: ['General', 'Général'],
  hot_work_permit: ['Hot Work', 'Permis de feu'],
  critical_permit: ['Critical', 'Critique'],

  APPROVE_AND_AUTHORISE: ['Approve and authorise', 'Approuver et autoriser'],
  ISSUE: ['Issue', 'Délivrer'],
  ACCEPT: ['Accept', 'Accepter'],
  LIVE: ['Live', 'En cours'],
  SUSPENDED: ['Suspended', 'Suspendu'],
  CLOSED: ['Closed', 'Clôturé'],

  COMPLETE: ['Complete', 'Terminé'],
  INCOMPLETE: ['Incomplete', 'Inachevé'],
  CANCELLED: ['Cancelled', 'Annulé'],

  END_OF_SHIFT: ['End of shift', 'Fin de poste'],
  WAITING_PARTS: ['Waiting for parts', 'Attente de pièces'],
  CONDITIONS_CHANGED: ['Conditions changed', 'Conditions modifiées'],
  SIMOPS_CONFLICT: ['Simultaneous operations conflict', 'Conflit d’opérations simultanées'],
  DE_ISOLATION_FOR_TEST: ['De-isolation for test', 'Déconsignation pour essai'],
  STOP_WORK: ['Stop work', 'Arrêt des travaux'],
  GENERAL_ALARM: ['General alarm', 'Alarme générale'],
  EMERGENCY: ['Emergency', 'Urgence'],
  EXPIRED: ['Expired', 'Expiré'],
  OTHER: ['Other', 'Autre'],

  JOB_PERFORMER: ['Job performer', 'Exécutant'],
  PERFORMING_AUTHORITY: ['Performing authority', 'Autorité d’exécution'],
  AREA_AUTHORITY: ['Area authority', 'Autorité de zone'],
  ASSET_APPROVAL_AUTHORITY: ['Asset approval authority', 'Autorité d’approbation de l’installation'],
  PERMIT_ISSUER: ['Permit issuer', 'Délivreur du permis'],
  DELEGATE: ['Delegate', 'Délégué'],
  SAFETY_OFFICER: ['Safety officer', 'Responsable sécurité'],

  WORK_AT_HEIGHT: ['Work at height', 'Travail en hauteur'],
  SCAFFOLDING: ['Scaffolding', 'Échafaudage'],
  LIFTING: ['Lifting', 'Levage'],
  RIG_FLOOR_HANDLING: ['Rig floor handling', 'Manutention sur le plancher de forage'],
  SECURING_CARGO_LOADS: ['Securing cargo loads', 'Arrimage des charges'],
  MANUAL_HANDLING: ['Manual handling', 'Manutention manuelle'],
  LIVE_ELECTRICAL: ['Live electrical work', 'Travaux électriques sous tension'],
  ENERGY_ISOLATION: ['Energy isolation', 'Consignation des énergies'],
  DE_ISOLATION_RE_ENERGIZING: ['De-isolation and re-energizing', 'Déconsignation et remise sous énergie'],
  CONFINED_SPACE: ['Confined space', 'Espace confiné'],
  EXCAVATION: ['Excavation', 'Fouille'],
  WORK_AROUND_MOBILE_EQUIPMENT: ['Work around mobile equipment', 'Travaux près d’engins mobiles'],
  WORK_NEAR_WATER: ['Work near water', 'Travaux à proximité de l’eau'],
  HAZARDOUS_WASTE: ['Hazardous waste', 'Déchets dangereux'],

  PRE_ISSUE: ['Before issue', 'Avant délivrance'],
  DURING_WORK: ['During work', 'Pendant les travaux'],
  CLOSE_OUT: ['Close-out', 'Clôture'],
  PHYSICAL: ['Physical', 'Sur place'],
  VIRTUAL: ['Virtual', 'Virtuelle'],
  DONE: ['Done', 'Effectuée'],
  PENDING: ['Pending', 'En attente'],
  NA: ['Not applicable', 'Sans objet'],

  RISK_ASSESSMENT: ['Risk assessment', 'Analyse de risques'],
  METHOD_STATEMENT: ['Method statement', 'Mode opératoire'],
  DRAWING: ['Drawing', 'Plan'],
  GAS_TEST: ['Gas test', 'Mesure de gaz'],
  ISOLATION: ['Isolation', 'Consignation'],
  PHOTO: ['Photo', 'Photo'],

  SAME_JOB: ['Same job', 'Même travail'],
  CONFLICT_CONTROLLED: ['Controlled conflict', 'Conflit maîtrisé'],
  FOLLOW_UP: ['Follow-up', 'Suite'],

  VALVE: ['Valve', 'Vanne'],
  SPADE: ['Spade', 'Obturateur'],
  ELECTRICAL: ['Electrical', 'Électrique'],
  PLANNED: ['Planned', 'Prévue'],
  APPLIED: ['Applied', 'Posée'],
  VERIFIED: ['Verified', 'Vérifiée'],
  REMOVED: ['Removed', 'Déposée'],

  'ZONE-0': ['Zone 0', 'Zone 0'],
  'ZONE-1': ['Zone 1', 'Zone 1'],
  'ZONE-2': ['Zone 2', 'Zone 2'],
  RED: ['Red', 'Rouge'],
  AMBER: ['Amber', 'Orange'],
  YELLOW: ['Yellow', 'Jaune'],
  GREEN: ['Green', 'Verte'],
};

/** @throws `Error` for a value without words, which a test of the kinds finds */
export const toChoices = <T extends string>(
  values: readonly T[],
): readonly { readonly value: T; readonly label: LocalizedText }[] =>
  values.map((value) => {
    const [en, fr] = labels[value] ?? [];
    if (en === undefined || fr === undefined) throw new Error(`The value ${value} has no plain words.`);
    return { value, label: { en, fr } };
  });
