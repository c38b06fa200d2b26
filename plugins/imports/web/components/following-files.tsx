import { observer } from 'mobx-react-lite';
import { useId } from 'react';
import { LoadingState, makeStyles, ResourceView, tokens } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import type { ImportKindInfo } from '../../contract/api.ts';
import type { FollowingWorkbooks } from '../stores/use-following-workbooks.ts';
import { useImportSession } from '../stores/use-import-session.ts';
import { FilesField } from './files-field.tsx';

const useStyles = makeStyles({
  root: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalS },
  title: { margin: 0, fontSize: tokens.fontSizeBase300, fontWeight: tokens.fontWeightSemibold },
  hint: { margin: 0, color: tokens.colorNeutralForeground2 },
});

export interface FollowingFilesProps {
  readonly following: FollowingWorkbooks;
  readonly allKinds: readonly ImportKindInfo[];
  /** Kinds whose following import is uploaded already and waits for this one. They get no field. */
  readonly waitingKinds?: readonly string[];
  /** Whether missing required files are reported. */
  readonly reportMissing: boolean;
}

/** Fields for workbooks whose rows refer to those of an import. They are read once that import is applied. */
export const FollowingFiles = observer(function FollowingFiles({
  following: { resource, isRequired },
  allKinds,
  waitingKinds = [],
  reportMissing,
}: FollowingFilesProps) {
  return (
    <ResourceView resource={resource} waiting={<LoadingState />}>
      {(followingKinds) =>
        followingKinds.map((each) => {
          const kind = allKinds.find(({ id }) => id === each.kind);
          if (kind === undefined || waitingKinds.includes(each.kind)) return null;
          return <KindFiles key={kind.id} kind={kind} required={isRequired(each)} reportMissing={reportMissing} />;
        })
      }
    </ResourceView>
  );
});

interface KindFilesProps {
  readonly kind: ImportKindInfo;
  readonly required: boolean;
  readonly reportMissing: boolean;
}

const KindFiles = observer(function KindFiles({ kind, required, reportMissing }: KindFilesProps) {
  const t = useText();
  const styles = useStyles();
  const { language } = useService(I18n);
  const { drafts } = useImportSession();
  const id = useId();
  const files = kind.files.map((file) => ({ ...file, required: file.required && required }));
  return (
    <section className={styles.root} aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        {kind.title[language]}
      </h2>
      <p className={styles.hint}>{t(required ? 'imports.following.required' : 'imports.following.optional')}</p>
      <FilesField
        kind={{ ...kind, files }}
        files={drafts.listFollowingFiles(kind.id)}
        reportMissing={reportMissing}
        onChange={(chosenFiles) => drafts.setFollowingFiles(kind.id, chosenFiles)}
      />
    </section>
  );
});
