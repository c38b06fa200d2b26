import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { useText } from '../i18n/use-text.ts';
import { Button, DrawerBody, DrawerHeader, DrawerHeaderTitle, OverlayDrawer } from '../ui/shell.ts';
import AdminMenu from './admin-menu.tsx';

export interface AdminDrawerProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** The admin menu as a drawer, for small screens. */
export default function AdminDrawer({ open, onClose }: AdminDrawerProps) {
  const text = useText();
  return (
    <OverlayDrawer
      open={open}
      position="start"
      size="small"
      onOpenChange={(_, data) => (data.open ? undefined : onClose())}
    >
      <DrawerHeader>
        <DrawerHeaderTitle
          action={
            <Button appearance="subtle" icon={<DismissRegular />} aria-label={text('core.close')} onClick={onClose} />
          }
        >
          {text('core.shell.admin')}
        </DrawerHeaderTitle>
      </DrawerHeader>
      <DrawerBody>
        <AdminMenu onSelect={onClose} />
      </DrawerBody>
    </OverlayDrawer>
  );
}
