import type { ReactNode } from 'react';
import { observer } from 'mobx-react-lite';
import { EmptyState, FailedState, ListSkeleton, makeStyles } from '#core/ui';
import { useService } from '#core/web';
import { TourStore } from '#plugins/tour';
import { ToolPanel, type ToolPanelProps } from './tool-panel.tsx';

const useStyles = makeStyles({ list: { margin: 0, padding: 0, listStyleType: 'none' } });

interface PanelTexts {
  readonly title: string;
  readonly hint: string;
}

export interface ItemPanelProps extends Pick<ToolPanelProps, 'title' | 'closeLabel' | 'foot'> {
  readonly store: {
    readonly list: {
      readonly state: 'initial' | 'loading' | 'loaded' | 'failed';
      readonly all: readonly unknown[];
      readonly progress: ToolPanelProps['progress'];
      readonly lastDeleted: ToolPanelProps['lastDeleted'];
      load(location: string): Promise<void>;
      restore(): Promise<void>;
    };
    setPanelOpen(open: boolean): void;
  };
  /** Filter controls. */
  readonly filter: ReactNode;
  /** The filtered rows. */
  readonly rows: readonly ReactNode[];
  readonly texts: {
    readonly failed: PanelTexts;
    /** Message of an empty list. */
    readonly empty: PanelTexts;
    /** Message if no item matches the filter. */
    readonly noMatch: PanelTexts;
  };
  /** A button that creates the first item. */
  readonly emptyAction?: ReactNode;
  /** Whether deleted items can be restored. */
  readonly undoable?: boolean;
}

/** The list panel of a tool with its loading, error, empty and no-match states. */
export const ItemPanel = observer(function ItemPanel({
  store,
  title,
  closeLabel,
  foot,
  filter,
  rows,
  texts,
  emptyAction = null,
  undoable = true,
}: ItemPanelProps) {
  const styles = useStyles();
  const location = useService(TourStore).opened?.tour.location;
  const { list } = store;
  const { state, all, progress, lastDeleted } = list;
  const renderRows = (): ReactNode => {
    if (rows.length > 0) return <ul className={styles.list}>{rows}</ul>;
    if (all.length > 0) return <EmptyState title={texts.noMatch.title} message={texts.noMatch.hint} />;
    if (state === 'loaded')
      return <EmptyState title={texts.empty.title} message={texts.empty.hint} action={emptyAction} />;
    return state === 'failed' ? null : <ListSkeleton />;
  };
  return (
    <ToolPanel
      title={title}
      closeLabel={closeLabel}
      onClose={() => store.setPanelOpen(false)}
      progress={progress}
      lastDeleted={undoable ? lastDeleted : undefined}
      onRestore={() => void list.restore()}
      foot={foot}
    >
      {filter}
      {state === 'failed' ? (
        <FailedState
          title={texts.failed.title}
          message={texts.failed.hint}
          onRetry={() => void (location !== undefined && list.load(location))}
        />
      ) : null}
      {renderRows()}
    </ToolPanel>
  );
});
