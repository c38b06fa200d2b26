import { observer } from 'mobx-react-lite';
import { useEffect, useMemo, useState } from 'react';
import {
  Button,
  EmptyState,
  ListSkeleton,
  makeStyles,
  PageTitle,
  ResourceView,
  tokens,
  useRestoreFocusTarget,
} from '#core/ui';
import {
  ConfirmDialog,
  DataTable,
  LastChangeLine,
  LastChangeStore,
  useAdminStyles,
  usePagedResource,
  type DataColumn,
} from '#core/ui-data';
import { HttpClient, Locations, useFormats, useService, useText } from '#core/web';
import type { Contact } from '#plugins/media';
import type { listContacts } from '#plugins/media/api';
import { ContactDialog } from '../components/contact-dialog.tsx';
import { ContactMutations } from '../stores/contact-mutations.ts';

const useStyles = makeStyles({
  truncated: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  quiet: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
});

interface OpenDialog {
  readonly kind: 'edit' | 'delete';
  readonly contact: Contact;
}

/** Lists, creates, changes and deletes the contacts whom people can ask. */
const ContactsScreen = observer(function ContactsScreen() {
  const t = useText();
  const styles = { ...useAdminStyles(), ...useStyles() };
  const http = useService(HttpClient);
  const locations = useService(Locations);
  const formats = useFormats();
  const opener = useRestoreFocusTarget();
  const [lastChange] = useState(() => new LastChangeStore());
  const [openDialog, setOpenDialog] = useState<OpenDialog | 'add'>();
  useEffect(() => void locations.load(), [locations]);
  const rows = usePagedResource(
    ({ offset, limit }, signal) =>
      http.call<typeof listContacts>('GET', '/api/media/contacts', { query: { offset, limit } }, { signal }),
    [http],
    'contacts',
  );
  const mutations = useMemo(
    () => new ContactMutations(http, lastChange, async () => void (await rows.load())),
    [http, lastChange, rows],
  );
  const columns = useMemo<readonly DataColumn<Contact>[]>(
    () => [
      {
        id: 'name',
        title: t('media.contact.name'),
        width: 'minmax(0, 3fr)',
        cell: ({ name, jobTitle }) => <TwoLines first={name} second={jobTitle} />,
      },
      {
        id: 'category',
        title: t('media.contact.category'),
        titleWhenStacked: true,
        width: 'minmax(0, 2fr)',
        cell: ({ category }) => t(`media.contact.category.${category}`),
      },
      {
        id: 'reach',
        title: t('media.contact.reach'),
        titleWhenStacked: true,
        width: 'minmax(0, 3fr)',
        cell: ({ email, phone }) => <TwoLines first={phone ?? email ?? ''} second={phone === null ? null : email} />,
      },
      {
        id: 'location',
        title: t('media.contact.location'),
        titleWhenStacked: true,
        width: 'minmax(0, 2fr)',
        cell: ({ location, onLogin }) => (
          <TwoLines
            first={location === null ? t('media.contact.everybody') : (locations.find(location)?.name ?? location)}
            second={onLogin ? t('media.contact.shownOnLogin') : null}
          />
        ),
      },
      {
        id: 'actions',
        title: t('media.contact.actions'),
        titleHidden: true,
        width: '200px',
        cell: (contact, tabIndex) => <Actions contact={contact} tabIndex={tabIndex} onOpen={setOpenDialog} />,
      },
    ],
    // oxlint-disable-next-line react/exhaustive-deps -- the names of locations arrive later
    [t, locations, locations.state],
  );
  const close = (): void => setOpenDialog(undefined);
  return (
    <>
      <PageTitle title={t('media.contact.title')} hint={t('media.contact.about')} />
      <LastChangeLine lastChange={lastChange} />
      <ResourceView resource={rows} waiting={<ListSkeleton />}>
        {({ total }) => (
          <>
            <div className={styles.bar}>
              <p role="status" className={styles.note}>
                {t('media.contact.count', { count: total, shown: formats.number(total) })}
              </p>
              <Button {...opener} appearance="primary" onClick={() => setOpenDialog('add')}>
                {t('media.contact.add')}
              </Button>
            </div>
            <DataTable
              label={t('media.contact.title')}
              rows={rows}
              columns={columns}
              rowHeightPx={60}
              narrow={{ belowPx: 680, rowHeightPx: 232 }}
              empty={<EmptyState title={t('media.contact.none')} message={t('media.contact.noneHint')} />}
            />
          </>
        )}
      </ResourceView>
      {openDialog === 'add' ? (
        <ContactDialog contact={undefined} mutations={mutations} onClose={close} />
      ) : openDialog?.kind === 'edit' ? (
        <ContactDialog contact={openDialog.contact} mutations={mutations} onClose={close} />
      ) : openDialog ? (
        <ConfirmDialog
          title={t('media.contact.deleteTitle', { name: openDialog.contact.name })}
          message={t('media.contact.deleteHint')}
          action={t('media.contact.delete')}
          onConfirm={() => mutations.delete(openDialog.contact)}
          onClose={close}
        />
      ) : null}
    </>
  );
});
export default ContactsScreen;

function TwoLines({ first, second }: { readonly first: string; readonly second: string | null }) {
  const styles = useStyles();
  return (
    <>
      <div className={styles.truncated} title={first}>
        {first}
      </div>
      {second === null ? null : <div className={`${styles.truncated} ${styles.quiet}`}>{second}</div>}
    </>
  );
}

interface ActionsProps {
  readonly contact: Contact;
  readonly tabIndex: 0 | -1;
  readonly onOpen: (opened: OpenDialog) => void;
}

function Actions({ contact, tabIndex, onOpen }: ActionsProps) {
  const t = useText();
  const styles = useAdminStyles();
  const opener = useRestoreFocusTarget();
  return (
    <div className={styles.actions}>
      {(['edit', 'delete'] as const).map((kind) => (
        <Button
          key={kind}
          {...opener}
          tabIndex={tabIndex}
          aria-label={t(`media.contact.${kind}Of`, { name: contact.name })}
          onClick={() => onOpen({ kind, contact })}
        >
          {t(`media.contact.${kind}`)}
        </Button>
      ))}
    </div>
  );
}
