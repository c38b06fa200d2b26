import { observer } from 'mobx-react-lite';
import { Card, makeStyles, ResourceView, Text, tokens } from '#core/ui';
import { HttpClient, useResource, useService, useText } from '#core/web';
import type { listContacts } from '#plugins/media/api';

/** Only the first page is shown: nobody searches a longer list on a welcome screen. */
const maxShown = 50;

const useStyles = makeStyles({
  contacts: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(280px, 100%), 1fr))',
    gap: tokens.spacingHorizontalL,
    padding: 0,
    listStyleType: 'none',
  },
  link: { color: tokens.colorBrandForegroundLink, minHeight: '24px' },
  quiet: { color: tokens.colorNeutralForeground3 },
});

/** Shows the contacts for all people and for the person's locations. Renders nothing if there are none. */
export const ContactList = observer(function ContactList() {
  const styles = useStyles();
  const t = useText();
  const http = useService(HttpClient);
  const contacts = useResource(
    (signal) =>
      http.call<typeof listContacts>('GET', '/api/media/contacts', { query: { limit: maxShown } }, { signal }),
    [http],
  );
  if (contacts.value?.rows.length === 0) return null;
  return (
    <section aria-labelledby="media-contacts">
      <h2 id="media-contacts">{t('media.welcome.contacts')}</h2>
      <ResourceView resource={contacts}>
        {({ rows }) => (
          <ul className={styles.contacts}>
            {rows.map(({ uid, name, jobTitle, category, email, phone, languages }) => (
              <li key={uid}>
                <Card>
                  <Text weight="semibold">{name}</Text>
                  <Text>
                    {[jobTitle, t(`media.contact.category.${category}`)].filter((part) => part !== null).join(' · ')}
                  </Text>
                  {email === null ? null : (
                    <a className={styles.link} href={`mailto:${email}`}>
                      {email}
                    </a>
                  )}
                  {phone === null ? null : (
                    <a className={styles.link} href={`tel:${phone}`}>
                      {phone}
                    </a>
                  )}
                  {languages.length === 0 ? null : <Text className={styles.quiet}>{languages.join(', ')}</Text>}
                </Card>
              </li>
            ))}
          </ul>
        )}
      </ResourceView>
    </section>
  );
});
