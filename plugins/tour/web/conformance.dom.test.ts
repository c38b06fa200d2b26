import path from 'node:path';
import { webPluginConforms } from '#core/testing/web';
import { fitProblems } from '../common/alignment/fit-viewpoint.ts';
import { floorKinds, linkKinds } from '../contract/values/content-values.ts';
import { lineKind, tagKinds } from '../contract/values/tag-values.ts';
import manifest from '../plugin.ts';
import { poseHeads, tiltHeads } from './admin/components/poses/pose-heads.ts';
import { assignmentReasons } from './admin/stores/batch/batch-file.ts';
import { batchProblems } from './admin/stores/batch/panorama-batch.ts';
import { contentChangeKinds } from './admin/stores/content-change-kinds.ts';
import { poseFields } from './admin/stores/poses-file/pose-table.ts';
import { planTools } from './admin/stores/plan-gestures.ts';

webPluginConforms({
  folder: path.resolve(import.meta.dirname, '..'),
  manifest,
  settings: {},
  messages: [
    ...[
      'unitWithoutTour',
      'tourWithoutView',
      'deckWithoutPlan',
      'viewpointWithoutPicture',
      'viewpointWithoutLink',
      'tagWithoutPlace',
      'lineWithoutView',
      'equalTags',
    ].flatMap((check) => [`tour.check.${check}`, `tour.check.${check}.hint`]),
    ...['brightness', 'contrast'].map((part) => `tour.picture.${part}`),
    ...['inProgress', 'shared', 'published', 'partlyAccepted', 'asBuilt'].map(
      (group) => `tour.documents.status.${group}`,
    ),
    ...contentChangeKinds.flatMap((kind) => [`tour.content.done.${kind}`, `tour.content.undone.${kind}`]),
    ...[
      'deckCreated',
      'deckChanged',
      'deckDeleted',
      'planSaved',
      'planPlaced',
      'wallsSaved',
      'planRemoved',
      'tourCreated',
      'tourChanged',
      'tourDeleted',
      'nodesCreated',
      'nodesChanged',
      'nodesDeleted',
      'linksChanged',
      // The name in entries of earlier versions.
      'code.changed',
      'codeChanged',
      'changeUndone',
      'tagCreated',
      'tagChanged',
      'tagDeleted',
      'tagPlaced',
      'tagUnplaced',
      'tagsPlaced',
      'tagsImported',
      'documentCreated',
      'documentChanged',
      'documentDeleted',
      'documentsLinked',
      'revisionAdded',
      'revisionChanged',
      'revisionDeleted',
      'nodesAligned',
      'nodesMade',
      'rangesMade',
      'rangesRemoved',
    ].map((action) => `tour.audit.${action}`),
    ...['decks', 'viewpoints', 'align', 'tags'].map((step) => `tour.setUp.${step}`),
    ...['decksCount', 'decksResidual', 'viewpointsCount', 'aligned', 'alignNeeds', 'tagsCount'].map(
      (detail) => `tour.setUp.${detail}`,
    ),
    ...fitProblems.map((problem) => `tour.align.problem.${problem}`),
    ...floorKinds.map((kind) => `tour.content.floor.${kind}`),
    ...linkKinds.map((kind) => `tour.content.links.${kind}`),
    ...planTools.map((tool) => `tour.content.tool.${tool}`),
    ...['a', 'b'].map((end) => `tour.content.links.${end}`),
    ...poseFields.map((field) => `tour.poses.field.${field}`),
    ...[...poseHeads, ...tiltHeads].map((head) => `tour.poses.head.${head}`),
    ...['noName', 'noNumber', 'noAngle', 'noTime', 'twice', 'quaternion'].map(
      (reason) => `tour.poses.problem.${reason}`,
    ),
    ...assignmentReasons.map((reason) => `tour.batch.reason.${reason}`),
    ...batchProblems.map((problem) => `tour.batch.problem.${problem}`),
    ...['SENDING', 'SENT', 'UNCHANGED'].map((state) => `tour.batch.state.${state}`),
    ...['east', 'up'].map((axis) => `tour.content.${axis}`),
    ...[...tagKinds, lineKind].map((kind) => `tour.kind.${kind}`),
    ...['PLACED', 'UNPLACED'].map((place) => `tour.tags.${place}`),
    ...['parallel', 'behind'].map((problem) => `tour.tags.placing.${problem}`),
  ],
});
