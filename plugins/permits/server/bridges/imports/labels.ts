import type { ImportColumn, LocalizedText } from '#plugins/imports';

type Labels = Readonly<Record<string, readonly [english: string, french: string, ...synonyms: readonly string[]]>>;

/**
 * The English and French label of each value, and further words that people use in permit registers. Case, accents and
 * hyphens are ignored. Ambiguous words are left out, such as "cold work", which means different types at different
 * sites.
 */
const labels: Labels = {
  general_permit: [
    'General',
    'Général',
    'General permit',
    'General work',
    'Permis général',
    'Permis de travail général',
    'Travail général',
    'Travaux généraux',
  ],
  hot_work_permit: [
    'Hot Work',
    'Permis de feu',
    'Hot work permit',
    'Travail à chaud',
    'Travaux à chaud',
    'Permis de travail à chaud',
    'Travail par point chaud',
    'Travaux par points chauds',
    'Permis feu',
    'Permis de points chauds',
  ],
  critical_permit: [
    'Critical',
    'Critique',
    'Critical permit',
    'Critical work',
    'Permis critique',
    'Travail critique',
    'Travaux critiques',
  ],

  APPROVE_AND_AUTHORISE: [
    'Approve and authorise',
    'Approuver et autoriser',
    'Awaiting approval',
    'To be approved',
    'En attente d’approbation',
    'En attente d’autorisation',
    'À approuver',
    'À autoriser',
  ],
  ISSUE: [
    'Issue',
    'Délivrer',
    'Awaiting issue',
    'To be issued',
    'En attente de délivrance',
    'En attente d’émission',
    'À délivrer',
    'À émettre',
  ],
  ACCEPT: [
    'Accept',
    'Accepter',
    'Awaiting acceptance',
    'Awaiting accept',
    'To be accepted',
    'En attente d’acceptation',
    'À accepter',
  ],
  LIVE: ['Live', 'En cours', 'In progress', 'Actif', 'Active', 'En vigueur', 'En exécution', 'En cours d’exécution'],
  SUSPENDED: ['Suspended', 'Suspendu', 'Suspendue', 'En suspens', 'Suspension'],
  CLOSED: ['Closed', 'Clôturé', 'Closed out', 'Clôturée', 'Clos', 'Fermé', 'Fermée'],

  COMPLETE: ['Complete', 'Terminé', 'Completed', 'Terminée', 'Achevé', 'Achevée', 'Complet', 'Complète'],
  INCOMPLETE: [
    'Incomplete',
    'Inachevé',
    'Not completed',
    'Inachevée',
    'Incomplet',
    'Incomplète',
    'Non terminé',
    'Non terminée',
  ],
  CANCELLED: ['Cancelled', 'Annulé', 'Canceled', 'Annulée'],

  END_OF_SHIFT: ['End of shift', 'Fin de poste', 'Fin de quart', 'Fin d’équipe', 'Changement de poste'],
  WAITING_PARTS: ['Waiting for parts', 'Attente de pièces', 'Waiting parts', 'En attente de pièces', 'Attente pièces'],
  CONDITIONS_CHANGED: ['Conditions changed', 'Conditions modifiées', 'Changement de conditions', 'Conditions changées'],
  SIMOPS_CONFLICT: ['Simultaneous operations conflict', 'Conflit d’opérations simultanées', 'SIMOPS', 'Conflit SIMOPS'],
  DE_ISOLATION_FOR_TEST: ['De-isolation for test', 'Déconsignation pour essai', 'Déconsignation pour test'],
  STOP_WORK: ['Stop work', 'Arrêt des travaux', 'Arrêt de travail', 'Arrêt du travail'],
  GENERAL_ALARM: ['General alarm', 'Alarme générale', 'Alarme'],
  EMERGENCY: ['Emergency', 'Urgence'],
  EXPIRED: ['Expired', 'Expiré', 'Expirée', 'Échu'],
  OTHER: ['Other', 'Autre', 'Autres'],

  JOB_PERFORMER: ['Job performer', 'Exécutant', 'Exécutant du travail', 'Exécutant des travaux', 'Intervenant'],
  PERFORMING_AUTHORITY: [
    'Performing authority',
    'Autorité d’exécution',
    'Autorité exécutante',
    'Responsable d’exécution',
    'Responsable des travaux',
  ],
  AREA_AUTHORITY: ['Area authority', 'Autorité de zone', 'Autorité de la zone', 'Responsable de zone'],
  ASSET_APPROVAL_AUTHORITY: [
    'Asset approval authority',
    'Autorité d’approbation de l’installation',
    'Autorité d’approbation',
  ],
  PERMIT_ISSUER: ['Permit issuer', 'Délivreur du permis', 'Issuer', 'Délivreur', 'Émetteur du permis', 'Émetteur'],
  DELEGATE: ['Delegate', 'Délégué', 'Déléguée'],
  SAFETY_OFFICER: [
    'Safety officer',
    'Responsable sécurité',
    'Responsable de la sécurité',
    'Agent de sécurité',
    'Chargé de sécurité',
  ],

  WORK_AT_HEIGHT: ['Work at height', 'Travail en hauteur', 'Working at height', 'Travaux en hauteur'],
  SCAFFOLDING: ['Scaffolding', 'Échafaudage', 'Échafaudages', 'Montage d’échafaudage'],
  LIFTING: ['Lifting', 'Levage', 'Levages', 'Opération de levage', 'Opérations de levage'],
  RIG_FLOOR_HANDLING: ['Rig floor handling', 'Manutention sur le plancher de forage'],
  SECURING_CARGO_LOADS: ['Securing cargo loads', 'Arrimage des charges'],
  MANUAL_HANDLING: ['Manual handling', 'Manutention manuelle', 'Manutentions manuelles'],
  LIVE_ELECTRICAL: [
    'Live electrical work',
    'Travaux électriques sous tension',
    'Live electrical',
    'Travail électrique sous tension',
    'Travaux sous tension',
  ],
  ENERGY_ISOLATION: [
    'Energy isolation',
    'Consignation des énergies',
    'Isolation of energy',
    'Consignation d’énergie',
    'Consignation des énergies et fluides',
  ],
  DE_ISOLATION_RE_ENERGIZING: ['De-isolation and re-energizing', 'Déconsignation et remise sous énergie'],
  CONFINED_SPACE: [
    'Confined space',
    'Espace confiné',
    'Confined space entry',
    'Espaces confinés',
    'Travail en espace confiné',
    'Entrée en espace confiné',
  ],
  EXCAVATION: ['Excavation', 'Fouille', 'Excavations', 'Fouilles'],
  WORK_AROUND_MOBILE_EQUIPMENT: ['Work around mobile equipment', 'Travaux près d’engins mobiles'],
  WORK_NEAR_WATER: [
    'Work near water',
    'Travaux à proximité de l’eau',
    'Travail à proximité de l’eau',
    'Travaux près de l’eau',
  ],
  HAZARDOUS_WASTE: ['Hazardous waste', 'Déchets dangereux', 'Déchet dangereux'],

  PRE_ISSUE: ['Before issue', 'Avant délivrance', 'Pre-issue', 'Avant la délivrance'],
  DURING_WORK: ['During work', 'Pendant les travaux', 'During the work', 'Pendant le travail'],
  CLOSE_OUT: ['Close-out', 'Clôture', 'À la clôture'],
  PHYSICAL: ['Physical', 'Sur place', 'Physique', 'On site'],
  VIRTUAL: ['Virtual', 'Virtuelle', 'Virtuel', 'À distance'],
  DONE: ['Done', 'Effectuée', 'Effectué', 'Fait', 'Faite', 'Réalisé', 'Réalisée'],
  PENDING: ['Pending', 'En attente', 'À faire', 'Prévue', 'Prévu'],
  NA: ['Not applicable', 'Sans objet', 'N/A', 'Non applicable'],

  RISK_ASSESSMENT: ['Risk assessment', 'Analyse de risques', 'Analyse des risques', 'Évaluation des risques'],
  METHOD_STATEMENT: ['Method statement', 'Mode opératoire', 'Procédure'],
  DRAWING: ['Drawing', 'Plan', 'Dessin'],
  GAS_TEST: ['Gas test', 'Mesure de gaz', 'Test de gaz', 'Mesures de gaz'],
  ISOLATION: ['Isolation', 'Consignation'],
  PHOTO: ['Photo', 'Photo', 'Photographie'],

  SAME_JOB: ['Same job', 'Même travail', 'Même tâche'],
  CONFLICT_CONTROLLED: ['Controlled conflict', 'Conflit maîtrisé', 'Conflict controlled'],
  FOLLOW_UP: ['Follow-up', 'Suite', 'Suivi'],

  VALVE: ['Valve', 'Vanne'],
  SPADE: ['Spade', 'Obturateur', 'Platine pleine', 'Joint plein'],
  ELECTRICAL: ['Electrical', 'Électrique'],
  PLANNED: ['Planned', 'Prévue', 'Prévu', 'Planifiée', 'Planifié'],
  APPLIED: ['Applied', 'Posée', 'Posé', 'Appliquée', 'Appliqué'],
  VERIFIED: ['Verified', 'Vérifiée', 'Vérifié'],
  REMOVED: ['Removed', 'Déposée', 'Déposé', 'Retirée', 'Retiré'],

  'ZONE-0': ['Zone 0', 'Zone 0', 'ATEX 0', 'Zone ATEX 0', 'Zone0'],
  'ZONE-1': ['Zone 1', 'Zone 1', 'ATEX 1', 'Zone ATEX 1', 'Zone1'],
  'ZONE-2': ['Zone 2', 'Zone 2', 'ATEX 2', 'Zone ATEX 2', 'Zone2'],
  RED: ['Red', 'Rouge', 'Zone rouge', 'Red zone'],
  AMBER: ['Amber', 'Orange', 'Ambre', 'Zone orange', 'Amber zone'],
  YELLOW: ['Yellow', 'Jaune', 'Zone jaune', 'Yellow zone'],
  GREEN: ['Green', 'Verte', 'Vert', 'Zone verte', 'Green zone'],
};

/**
 * Words that some registers use instead of a stage. A stage names the next step, but these words name the last
 * completed step. They are accepted with a warning that names the stage.
 */
export const stageSynonyms: NonNullable<ImportColumn['synonyms']> = [
  ...['Draft', 'Drafting', 'Brouillon', 'En préparation', 'En rédaction', 'Demandé', 'Requested'].map((text) => ({
    text,
    value: 'APPROVE_AND_AUTHORISE',
    warning: 'permits.refused.draftAwaitsApproval',
  })),
  ...['Approved', 'Authorised', 'Authorized', 'Approuvé', 'Approuvée', 'Autorisé', 'Autorisée'].map((text) => ({
    text,
    value: 'ISSUE',
    warning: 'permits.refused.approvedAwaitsIssue',
  })),
  ...['Issued', 'Émis', 'Émise', 'Délivré', 'Délivrée'].map((text) => ({
    text,
    value: 'ACCEPT',
    warning: 'permits.refused.issuedAwaitsAcceptance',
  })),
];

/** @throws `Error` if a value has no labels. The tests of the import kinds would fail then. */
export const toChoices = <T extends string>(
  values: readonly T[],
): readonly { readonly value: T; readonly label: LocalizedText; readonly words: readonly string[] }[] =>
  values.map((value) => {
    const [en, fr, ...synonyms] = labels[value] ?? [];
    if (en === undefined || fr === undefined) throw new Error(`The value ${value} has no labels.`);
    return { value, label: { en, fr }, words: synonyms };
  });
