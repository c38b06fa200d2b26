import { findKeyStep, findKeyTurn, movePose, turnPose } from './poses.ts';
import type { PlanView } from './plan-view.ts';
import type { ViewpointEditor } from './viewpoint-editor.ts';

export interface PlanKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/** Dialogs that keys open. */
export interface PlanKeyActions {
  readonly onAdd: () => void;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

const zoomFactor = 1.5;
const panPx = 60;
const panDirections: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Handles a key on the plan. Returns false if the key has no effect. */
export function handlePlanKey(
  event: PlanKey,
  editor: ViewpointEditor,
  view: PlanView,
  { onAdd, onEdit, onDelete }: PlanKeyActions,
): boolean {
  const { key, shiftKey } = event;
  const hasSelection = editor.selected.size > 0;
  // Checked before the modifier keys: on many keyboards brackets need AltGr, which browsers report as Ctrl and Alt.
  const turnDegrees = findKeyTurn(key);
  if (turnDegrees !== undefined) {
    if (!hasSelection) return false;
    editor.setDrafts((node) => turnPose(node, turnDegrees));
    editor.saveSoon();
    return true;
  }
  if (event.altKey) return false;
  const isCommand = event.ctrlKey || event.metaKey;
  const direction = panDirections[key];
  const movement = findKeyStep(event, view.frame.area.heading);
  if (direction && movement) {
    if (isCommand || !hasSelection) view.pan(direction[0] * panPx, direction[1] * panPx);
    else {
      editor.setDrafts((node) => movePose(node, movement));
      editor.saveSoon();
    }
    return true;
  }
  if (isCommand) {
    if (key.toLowerCase() !== 'a') return false;
    editor.select(editor.nodes.map(({ uid }) => uid));
    return true;
  }
  switch (key) {
    case '+':
    case '-':
      view.zoom(key === '+' ? zoomFactor : 1 / zoomFactor);
      return true;
    case '0':
      view.showAll();
      return true;
    case 'PageDown':
    case 'PageUp':
      editor.selectNext(key === 'PageDown' ? 1 : -1, shiftKey ? 'add' : 'only');
      return true;
    case 'Insert':
      onAdd();
      return true;
    case 'Enter':
      if (hasSelection) onEdit();
      return hasSelection;
    case 'Delete':
      if (hasSelection) onDelete();
      return hasSelection;
    case 'Escape':
      if (hasSelection) editor.select([]);
      return hasSelection;
    default:
      return false;
  }
}
