import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { accessSubjects, listSubjectFlags, type AccessFlag, type AccessSubject, type LocationNode } from '#core';
import type { AccessExplanation, explainAccess, ExplainedPerson, findExplainedPeople } from '#core/api';
import {
  Badge,
  EmptyState,
  Field,
  ListSkeleton,
  makeStyles,
  MessageBar,
  MessageBarBody,
  MessageBarTitle,
  ResourceView,
  Select,
  tokens,
} from '#core/ui';
import {
  Combobox,
  Option,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableHeaderCell,
  TableRow,
  useAdminStyles,
  useProductFlags,
} from '#core/ui-data';
import { HttpClient, Locations, useResource, useService, useText } from '#core/web';

const useStyles = makeStyles({
  fields: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(240px, 100%), 1fr))',
    gap: tokens.spacingHorizontalL,
    marginBottom: tokens.spacingVerticalL,
  },
  field: { minWidth: 0, '& > div, & select': { minWidth: 0, width: '100%' } },
  scroller: { overflowX: 'auto', marginTop: tokens.spacingVerticalM },
  table: { minWidth: '520px' },
  cell: { overflowWrap: 'anywhere', verticalAlign: 'top', padding: tokens.spacingVerticalXS },
});

/** The question to explain. `account` is the uid of a person, or empty. */
export interface AccessQuestion {
  readonly account: string;
  readonly feature: AccessSubject | undefined;
  readonly location: string | undefined;
}

export interface ExplainPanelProps {
  readonly question: AccessQuestion;
  readonly onChange: (question: AccessQuestion) => void;
}

/** Explains why a person can or cannot use a feature at a location. */
export const ExplainPanel = observer(function ExplainPanel({ question, onChange }: ExplainPanelProps) {
  const styles = { ...useAdminStyles(), ...useStyles() };
  const t = useText();
  const http = useService(HttpClient);
  const locations = useService(Locations);
  const productFlags = useProductFlags();
  const { account, feature, location } = question;
  useEffect(() => {
    void locations.load();
  }, [locations]);
  const explanation = useResource(
    (signal) =>
      account === ''
        ? undefined
        : http.call<typeof explainAccess>(
            'GET',
            '/api/access-control/explanation',
            {
              query: {
                account,
                ...(feature === undefined ? {} : { feature }),
                ...(location === undefined ? {} : { location }),
              },
            },
            { signal },
          ),
    [http, account, feature, location],
  );
  const features = accessSubjects.filter((subject) => isInProduct(subject, productFlags));
  return (
    <>
      <div className={styles.fields}>
        <PersonChoice
          className={styles.field}
          chosen={explanation.value?.person.uid === account ? explanation.value.person : undefined}
          onChoose={(uid) => onChange({ ...question, account: uid })}
        />
        <Field label={t('roles.feature')} className={styles.field}>
          <Select
            value={feature ?? ''}
            onChange={(_, { value }) =>
              onChange({ ...question, feature: accessSubjects.find((subject) => subject === value) })
            }
          >
            <option value="">{t('roles.chooseAnyFeature')}</option>
            {features.map((subject) => (
              <option key={subject} value={subject}>
                {t(`roles.subject.${subject}`)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('roles.location')} className={styles.field}>
          <Select
            value={location ?? ''}
            onChange={(_, { value }) => onChange({ ...question, location: value === '' ? undefined : value })}
          >
            <option value="">{t('roles.anyLocation')}</option>
            {listNodes(locations.roots).map(({ uid }) => (
              <option key={uid} value={uid}>
                {locations
                  .pathTo(uid)
                  .map(({ name }) => name)
                  .join(' › ')}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {account === '' ? (
        <EmptyState title={t('roles.explainNobody')} message={t('roles.explainHint')} />
      ) : (
        <ResourceView
          resource={explanation}
          noAccessTo={{ title: t('roles.noAccessThere'), accessToRequest: 'anyLocation' }}
          waiting={<ListSkeleton />}
        >
          {(value) => <Explanation explanation={value} question={question} />}
        </ResourceView>
      )}
    </>
  );
});

const listNodes = (nodes: readonly LocationNode[]): readonly LocationNode[] =>
  nodes.flatMap((node) => [node, ...listNodes(node.children)]);

/** Excludes features of plugins that the product does not contain. */
const isInProduct = (subject: AccessSubject, productFlags: ReadonlySet<AccessFlag>): boolean => {
  const flags = listSubjectFlags(subject);
  return flags.length === 0 || flags.some((flag) => productFlags.has(flag));
};

const Explanation = observer(function Explanation({
  explanation: { person, granted, account, feature, location, roles },
  question,
}: {
  readonly explanation: AccessExplanation;
  readonly question: AccessQuestion;
}) {
  const styles = useStyles();
  const t = useText();
  const locations = useService(Locations);
  const { name } = person;
  const isWithoutActiveRole = roles.every(({ active }) => !active);
  const reasons = [
    ...(account ? [] : [t(`roles.why.account.${person.status}`)]),
    ...(roles.length === 0 ? [t('roles.why.noRole')] : []),
    ...(roles.length > 0 && isWithoutActiveRole ? [t('roles.why.rolesDeactivated')] : []),
    ...(feature === false && !isWithoutActiveRole ? [t('roles.why.noFeature')] : []),
    ...(location === false && !isWithoutActiveRole ? [t('roles.why.noLocation')] : []),
  ];
  const format = (value: boolean | null): string => (value === null ? '–' : t(value ? 'roles.yes' : 'roles.no'));
  return (
    <div role="status">
      <MessageBar intent={granted ? 'success' : 'warning'} layout="multiline">
        <MessageBarBody>
          <MessageBarTitle>
            {t(granted ? 'roles.can' : 'roles.cannot', {
              name,
              feature: t(question.feature === undefined ? 'roles.anyFeature' : `roles.subject.${question.feature}`),
            })}
          </MessageBarTitle>{' '}
          {granted ? t('roles.why.granted') : reasons.join(' ')}
        </MessageBarBody>
      </MessageBar>
      {roles.length === 0 ? null : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls needs the focus
        <div className={styles.scroller} tabIndex={0} role="region" aria-label={t('roles.rolesOf', { name })}>
          <Table className={styles.table} aria-label={t('roles.rolesOf', { name })}>
            <TableHeader>
              <TableRow>
                <TableHeaderCell>{t('roles.role')}</TableHeaderCell>
                <TableHeaderCell>{t('roles.statusTitle')}</TableHeaderCell>
                <TableHeaderCell>{t('roles.givesFeature')}</TableHeaderCell>
                <TableHeaderCell>{t('roles.givesLocation')}</TableHeaderCell>
              </TableRow>
            </TableHeader>
            <TableBody>
              {roles.map((role) => (
                <TableRow key={role.uid}>
                  <TableCell className={styles.cell}>{role.name}</TableCell>
                  <TableCell className={styles.cell}>
                    <Badge appearance="tint" color={role.active ? 'success' : 'informative'}>
                      {t(role.active ? 'roles.status.ACTIVE' : 'roles.roleDeactivated')}
                    </Badge>
                  </TableCell>
                  <TableCell className={styles.cell}>{format(role.feature)}</TableCell>
                  <TableCell className={styles.cell}>
                    {role.location === true
                      ? role.through === null
                        ? t('roles.throughAll')
                        : t('roles.through', { location: locations.find(role.through)?.name ?? role.through })
                      : format(role.location)}
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </div>
      )}
    </div>
  );
});

interface PersonChoiceProps {
  readonly className: string;
  readonly chosen: ExplainedPerson | undefined;
  readonly onChoose: (uid: string) => void;
}

const PersonChoice = observer(function PersonChoice({ className, chosen, onChoose }: PersonChoiceProps) {
  const t = useText();
  const http = useService(HttpClient);
  const [typed, setTyped] = useState<string>();
  const text = typed ?? '';
  const people = useResource(
    (signal) =>
      http.call<typeof findExplainedPeople>('GET', '/api/access-control/people', { query: { text } }, { signal }),
    [http, text],
  );
  return (
    <Field label={t('roles.person')} className={className}>
      <Combobox
        freeform
        value={typed ?? chosen?.name ?? ''}
        selectedOptions={chosen ? [chosen.uid] : []}
        placeholder={t('roles.personHint')}
        onChange={({ target }) => setTyped(target.value.slice(0, 200))}
        onOptionSelect={(_, { optionValue }) => {
          if (optionValue === undefined) return;
          setTyped(undefined);
          onChoose(optionValue);
        }}
      >
        {(people.value ?? []).map(({ uid, name, username }) => (
          <Option key={uid} value={uid} text={name}>
            {name} · {username}
          </Option>
        ))}
      </Combobox>
    </Field>
  );
});
