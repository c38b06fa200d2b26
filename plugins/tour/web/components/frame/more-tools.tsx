import { useEffect, useId, useState, type ReactElement } from 'react';
import {
  Button,
  makeStyles,
  Menu,
  MenuItem,
  MenuList,
  MenuPopover,
  MenuTrigger,
  mergeClasses,
  tokens,
  ToolButton,
} from '#core/ui';
import { ContributedComponent, useText } from '#core/web';
import type { TourModule, TourTool } from '#plugins/tour';
import { MoreIcon } from '../icons.tsx';

const useStyles = makeStyles({
  // The bar wraps in reverse, so this row is above the button that expands it.
  row: {
    display: 'grid',
    flexBasis: '100%',
    gap: '2px',
    paddingBottom: '2px',
    marginBottom: '2px',
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  collapsed: { display: 'none' },
  group: { display: 'grid', gridTemplateColumns: '48px 1fr', alignItems: 'center' },
  name: { paddingInlineStart: '8px', fontSize: tokens.fontSizeBase200, color: tokens.colorNeutralForeground2 },
  tools: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '2px', '& > *': { flexShrink: 0 } },
});

/** A tool of the frame, not of a module. */
export interface FrameTool {
  readonly label: string;
  readonly icon: ReactElement;
  /** The state of a toggle; undefined for other tools. */
  readonly pressed?: boolean;
  readonly onClick: () => void;
}

/** A menu with the tools of the frame, for phones, whose tool bar has no space for them. */
export function FrameToolMenu({ tools }: { readonly tools: readonly FrameTool[] }) {
  const t = useText();
  return (
    <Menu positioning="above-end">
      <MenuTrigger disableButtonEnhancement>
        <Button size="large" appearance="subtle" icon={<MoreIcon />} aria-label={t('tour.moreTools')} />
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {tools.map(({ label, icon, onClick }) => (
            <MenuItem key={label} icon={icon} onClick={onClick}>
              {label}
            </MenuItem>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}

export interface MoreToolsProps {
  readonly modules: readonly TourModule[];
  /** Tools that only some of the modules have. */
  readonly moduleTools: readonly TourTool[];
  readonly frameTools: readonly FrameTool[];
}

/**
 * A button that expands the bar by the tools of each module and of the frame. The bar collapses when the person presses
 * anything else, such as the picture or another tool.
 */
export function MoreTools({ modules, moduleTools, frameTools }: MoreToolsProps) {
  const styles = useStyles();
  const t = useText();
  const [expanded, setExpanded] = useState(false);
  const rowId = useId();
  const [button, setButton] = useState<HTMLElement | null>(null);
  const [row, setRow] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (!expanded) return undefined;
    const handlePress = ({ target }: PointerEvent): void => {
      const isInside = target instanceof Node && [button, row].some((element) => element?.contains(target));
      if (!isInside) setExpanded(false);
    };
    document.addEventListener('pointerdown', handlePress, true);
    return () => document.removeEventListener('pointerdown', handlePress, true);
  }, [expanded, button, row]);
  const groups = modules.map((module) => ({
    module,
    tools: moduleTools.filter((tool) => modules.find(({ id }) => tool.modules?.includes(id)) === module),
  }));
  return (
    <>
      <Button
        ref={setButton}
        size="large"
        appearance="subtle"
        icon={<MoreIcon />}
        aria-label={t('tour.moreTools')}
        aria-expanded={expanded}
        aria-controls={rowId}
        onClick={() => setExpanded(!expanded)}
      />
      {/* Collapsed tools stay mounted, because they may have state. */}
      <div ref={setRow} id={rowId} className={mergeClasses(styles.row, !expanded && styles.collapsed)}>
        {groups.map(({ module, tools }) =>
          tools.length === 0 ? null : (
            <div key={module.id} role="group" aria-label={t(module.title)} className={styles.group}>
              <span aria-hidden="true" className={styles.name}>
                {t(module.shortTitle)}
              </span>
              <div className={styles.tools}>
                {tools.map((tool) => (
                  <ContributedComponent key={tool.id} contribution={tool} load={tool.load} props={{}} />
                ))}
              </div>
            </div>
          ),
        )}
        <div className={styles.group}>
          <span />
          <div className={styles.tools}>
            {frameTools.map((tool) => (
              <ToolButton key={tool.label} {...tool} />
            ))}
          </div>
        </div>
      </div>
    </>
  );
}
